//! Words and numbers of text formats, with line numbers for errors.
//!
//! Numbers are read as `m · 10ᵉ` with integer m. When m < 2⁵³ and |e| ≤ 22 both factors are exact doubles,
//! so one multiplication or division gives the correctly rounded result (Clinger 1990, "How to read
//! floating point numbers accurately"); anything else goes to the standard library. Either way the
//! value is the nearest double. Line numbers are counted only when an error needs one.

use crate::Problem;

/// A position in a text.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Scanner<'a> {
    /// Starts after a byte order mark, if there is one.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Where the scanner stands, for [`Self::malformed_at`].
    pub fn position(&self) -> usize {
        self.position
    }

    /// An error at the line of the next word, or of the last one when nothing follows.
    pub fn malformed(&self, why: impl Into<String>) -> Problem {
        let mut next = self.clone();
        next.skip_space();
        self.malformed_at(if next.remaining() > 0 { next.position } else { self.position }, why)
    }

    /// An error at the line of the last word read.
    pub fn malformed_here(&self, why: impl Into<String>) -> Problem {
        self.malformed_at(self.position, why)
    }

    /// An error at the line of a position.
    pub fn malformed_at(&self, position: usize, why: impl Into<String>) -> Problem {
        let before = &self.bytes[..position.min(self.bytes.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        Problem::malformed(format!("line {line}"), why)
    }

    /// Skips white space, line ends and comments that start with `#`.
    pub fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c => self.position += 1,
                b'#' => self.skip_line(),
                _ => break,
            }
        }
    }

    /// Skips what is left of the line.
    pub fn skip_line(&mut self) {
        self.rest_of_line();
    }

    /// The rest of the line, trimmed.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.position += length;
        rest[..length].trim_ascii()
    }

    /// Up to the end of the line or an opening brace, trimmed: a name that may hold spaces.
    pub fn name(&mut self) -> String {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&b| matches!(b, b'\n' | b'{')).unwrap_or(rest.len());
        self.position += length;
        String::from_utf8_lossy(rest[..length].trim_ascii()).into_owned()
    }

    /// The next word without moving: up to white space, or one brace. Empty at the end.
    pub fn peek(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&b| is_space(b) || is_brace(b)).unwrap_or(rest.len());
        let at_brace = rest.first().is_some_and(|&b| is_brace(b));
        &rest[..if at_brace { 1 } else { length }]
    }

    /// The next word; empty at the end.
    pub fn word(&mut self) -> &'a [u8] {
        let word = self.peek();
        self.position += word.len();
        word
    }

    /// Skips blanks; whether another word follows on this line.
    pub fn more_on_line(&mut self) -> bool {
        while self.bytes.get(self.position).is_some_and(|&b| is_space(b) && b != b'\n') {
            self.position += 1;
        }
        !matches!(self.bytes.get(self.position), None | Some(b'\n' | b'#'))
    }

    /// The next word on this line; empty at its end.
    pub fn word_on_line(&mut self) -> &'a [u8] {
        if self.more_on_line() { self.word() } else { &[] }
    }

    /// Takes the next word if it is this one, in any case.
    pub fn take(&mut self, word: &str) -> bool {
        let same = self.peek().eq_ignore_ascii_case(word.as_bytes());
        if same {
            self.position += word.len();
        }
        same
    }

    /// Takes the next letters if they are these, in any case, even when no space follows.
    pub fn take_prefix(&mut self, letters: &str) -> bool {
        self.skip_space();
        let rest = &self.bytes[self.position..];
        let same = rest.get(..letters.len()).is_some_and(|start| start.eq_ignore_ascii_case(letters.as_bytes()));
        if same {
            self.position += letters.len();
        }
        same
    }

    /// Takes the next word, which must be this one.
    pub fn expect(&mut self, word: &str) -> Result<(), Problem> {
        if self.take(word) {
            return Ok(());
        }
        let found = quoted(self.peek());
        Err(self.malformed(format!("expected \"{word}\", found {found}")))
    }

    /// A finite number, called `what` in errors.
    #[inline]
    pub fn number(&mut self, what: &str) -> Result<f64, Problem> {
        self.skip_space();
        match leading_number(&self.bytes[self.position..]) {
            Some((value, length)) => {
                self.position += length;
                Ok(value)
            }
            None => self.unusual_number(what),
        }
    }

    #[cold]
    fn unusual_number(&mut self, what: &str) -> Result<f64, Problem> {
        let start = self.position;
        let word = self.word();
        let value = parse_word(word);
        value.ok_or_else(|| {
            self.malformed_at(start, format!("{what} should be a finite number, found {}", quoted(word)))
        })
    }

    /// A count that is not negative, called `what` in errors.
    pub fn count(&mut self, what: &str) -> Result<usize, Problem> {
        self.skip_space();
        let start = self.position;
        let word = self.word();
        let value = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
        value
            .ok_or_else(|| self.malformed_at(start, format!("{what} should be a whole number, found {}", quoted(word))))
    }

    /// Three finite numbers.
    pub fn vector(&mut self, what: &str) -> Result<[f64; 3], Problem> {
        Ok([self.number(what)?, self.number(what)?, self.number(what)?])
    }
}

/// A finite number that is a whole word, by the standard library's parser.
fn parse_word(word: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// A word for an error message, shortened.
pub(crate) fn quoted(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    if word.is_empty() {
        return "the end of the file".into();
    }
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    let more = if word.len() > LONGEST { "…" } else { "" };
    format!("\"{}{more}\"", text.escape_debug())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c)
}

fn is_brace(byte: u8) -> bool {
    matches!(byte, b'{' | b'}')
}

const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The plain decimal number at the start and its length, when it ends at a space or a brace and its
/// digits fit the exact path.
#[inline]
fn leading_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let negative = *bytes.first()? == b'-';
    let mut at = usize::from(negative);
    let mut mantissa = 0u64;
    let whole = digits(bytes, &mut at, &mut mantissa);
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        fraction = digits(bytes, &mut at, &mut mantissa);
    }
    let count = whole + fraction;
    let ends = bytes.get(at).is_none_or(|&b| is_space(b) || is_brace(b));
    // Up to 19 digits cannot overflow 64 bits.
    if count == 0 || count > 19 || mantissa >= 1 << 53 || !ends {
        return None;
    }
    let value = mantissa as f64 / POWERS_OF_TEN[fraction];
    Some((if negative { -value } else { value }, at))
}

#[inline]
fn digits(bytes: &[u8], at: &mut usize, mantissa: &mut u64) -> usize {
    let start = *at;
    while let Some(digit) = bytes.get(*at).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at += 1;
    }
    *at - start
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Result<f64, Problem> {
        Scanner::new(text.as_bytes()).number("value")
    }

    #[test]
    fn numbers_of_every_shape() {
        for (text, value) in [
            ("0.0000", 0.0),
            ("-3.0091", -3.0091),
            (".5", 0.5),
            ("5.", 5.0),
            ("+1.5", 1.5),
            ("7.62852e-016", 7.62852e-16),
            ("123456789012345678901234567890", 123456789012345678901234567890.0),
            ("0.00000000000000000000000000000012345", 1.2345e-31),
        ] {
            assert_eq!(number(text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn what_is_no_finite_number_is_refused() {
        for text in ["", "nan", "inf", "-infinity", "1e999", "1.#QNAN", "-", ".", "1,5", "12a", "--1"] {
            assert!(number(text).is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let mut scanner = Scanner::new(b"1 # one\r\n\r\n 2\n  x");
        assert_eq!(scanner.number("value").unwrap(), 1.0);
        assert_eq!(scanner.number("value").unwrap(), 2.0);
        let error = scanner.number("value").unwrap_err().to_string();
        assert!(error.starts_with("line 4:") && error.contains("\"x\""), "{error}");
    }

    proptest! {
        #[test]
        fn decimal_numbers_equal_the_standard_parser(whole in 0u64..1_000_000_000, fraction in "[0-9]{0,14}", minus: bool) {
            let text = format!("{}{whole}.{fraction}", if minus { "-" } else { "" });
            prop_assert_eq!(number(&text).unwrap(), text.parse::<f64>().unwrap());
        }

        #[test]
        fn the_shortest_form_reads_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(number(&format!("{value:?}")).unwrap().to_bits(), bits);
        }
    }
}
