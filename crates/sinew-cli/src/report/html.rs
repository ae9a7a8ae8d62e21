//! The frame of report pages: one self-contained file, for light and dark screens.

use base64::prelude::{BASE64_STANDARD, Engine};

/// A whole page.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n\
         <style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

/// Pictures side by side, each a caption and a PNG; `class` is "row", "trio" or "thumbs", from large
/// to small.
pub fn figures(class: &str, images: &[(String, Vec<u8>)]) -> String {
    let mut html = format!("<div class=\"{class}\">");
    for (caption, png) in images {
        html += &format!(
            "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
            escape(caption),
            BASE64_STANDARD.encode(png)
        );
    }
    html + "</div>\n"
}

/// A box for each sentence.
pub fn warnings(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("<p class=\"warning\">{}</p>\n", escape(sentence))).collect()
}

/// Text that may hold any character.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--paper:#fff;--soft:#666;--rule:#ddd;--note:#fff3d6;--bar:#5b7fb5}\
@media(prefers-color-scheme:dark){:root{--ink:#e4e4e4;--paper:#191a1c;--soft:#a0a0a0;--rule:#3a3b3e;--note:#4a3a12;\
--bar:#6f94cc}}\
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:var(--ink);\
background:var(--paper)}\
figure{margin:1rem 0}img,svg{max-width:100%;height:auto}img{border-radius:.3rem}figcaption{color:var(--soft)}\
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));gap:1rem}\
.trio{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:1rem}\
.row table{align-self:start}\
.thumbs{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.4rem 1rem}\
.thumbs figure{margin:0}.thumbs figcaption{font-size:.85rem;overflow-wrap:anywhere}\
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid var(--rule)}\
td.number{text-align:right;font-variant-numeric:tabular-nums}\
.swatch{display:inline-block;width:.9rem;height:.9rem;border-radius:.2rem;vertical-align:-.1rem;margin-right:.5rem}\
.bar{display:inline-block;height:.7rem;background:var(--bar);border-radius:.15rem;min-width:1px}\
.scale{display:inline-block;width:8rem;height:.8rem;border-radius:.2rem;margin:0 .4rem;vertical-align:-.1rem}\
.warning{background:var(--note);padding:.5rem 1rem;border-radius:.3rem}";
