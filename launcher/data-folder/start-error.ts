/** The platform cannot start. Only the message is printed; it says why and how to fix it. */
export class StartError extends Error {
  readonly expected = true;
}
