/**
 * An app may answer before it has read the request, and close. Node ends a connection whose write failed, even if the answer is there to
 * be read. With this, a failed write only ends writing: further writes are dropped, and the answer can still be read.
 */

type Written = (error?: Error | null) => void;

/** What a stream has for writing: one call at a time. */
interface Writable {
  _write(chunk: unknown, encoding: BufferEncoding, written: Written): void;
  _writev?(chunks: { chunk: unknown; encoding: BufferEncoding }[], written: Written): void;
}

interface Writing {
  /** What made it fail, if something did. */
  failed?: Error;
}

/** Costs two comparisons for each write. @param onWrite is called before each */
export function surviveFailedWrites(socket: Writable, onWrite?: () => void): Writing {
  const writing: Writing = {};
  const [write, writev] = [socket._write.bind(socket), socket._writev?.bind(socket)];
  let written: Written | undefined;
  const onWritten: Written = (error) => {
    if (error) writing.failed = error;
    written?.();
  };
  const mayWrite = (whenWritten: Written) => {
    onWrite?.();
    written = whenWritten;
    if (writing.failed === undefined) return true;
    whenWritten();
    return false;
  };
  socket._write = (chunk, encoding, whenWritten) => {
    if (mayWrite(whenWritten)) write(chunk, encoding, onWritten);
  };
  if (writev !== undefined)
    socket._writev = (chunks, whenWritten) => {
      if (mayWrite(whenWritten)) writev(chunks, onWritten);
    };
  return writing;
}
