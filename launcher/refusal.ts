/** A start that cannot go on: the message says why and how to mend it, and is all that is printed. */
export class Refusal extends Error {
  readonly expected = true;
}
