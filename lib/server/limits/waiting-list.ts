/** A list whose entries can leave from anywhere in constant time, as those that give up waiting do. */
export interface Waiting<Value> {
  readonly value: Value;
  before: Waiting<Value> | undefined;
  after: Waiting<Value> | undefined;
  /** False once it has left. */
  listed: boolean;
}

export class WaitingList<Value> {
  first: Waiting<Value> | undefined;
  size = 0;
  private last: Waiting<Value> | undefined;

  push(value: Value): Waiting<Value> {
    const added: Waiting<Value> = { value, before: this.last, after: undefined, listed: true };
    if (this.last === undefined) this.first = added;
    else this.last.after = added;
    this.last = added;
    this.size += 1;
    return added;
  }

  /** Does nothing if it has already left. */
  remove(entry: Waiting<Value> | undefined): void {
    if (entry?.listed !== true) return;
    entry.listed = false;
    this.size -= 1;
    if (entry.before === undefined) this.first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) this.last = entry.before;
    else entry.after.before = entry.before;
  }
}
