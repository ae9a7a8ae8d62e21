// Every type of the page, for the comments of its modules.

export * from "./document";
export * from "./engine";
export * from "./protocol";
export * from "./recipe";
export * from "./studio";
