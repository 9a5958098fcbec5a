/** The console's place on the page, for links to it. */
export const CONSOLE_ID = "console";
