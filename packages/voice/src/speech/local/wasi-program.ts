/**
 * Runs a WebAssembly program of WASI preview 1 whose only file is its output, in memory. Node's own `node:wasi` needs a
 * folder on the disk and warns that it is experimental.
 */

const SUCCESS = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const OUTPUT_FILE = 4;
const FOLDER = 3;
const DIRECTORY_TYPE = 3;
const REGULAR_TYPE = 4;

class ProgramExit extends Error {
  constructor(readonly code: number) {
    super(`The program ended with ${code}`);
  }
}

/** A file that grows while it is written. */
class MemoryFile {
  private bytes = new Uint8Array(1 << 16);
  private size = 0;
  private position = 0;

  constructor(private readonly maxBytes: number) {}

  write(data: Uint8Array): void {
    const end = this.position + data.length;
    if (end > this.maxBytes) throw new Error(`The output is larger than ${this.maxBytes} bytes`);
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(data, this.position);
    this.position = end;
    this.size = Math.max(this.size, end);
  }

  seek(offset: number, whence: number): number {
    this.position = offset + (whence === 1 ? this.position : whence === 2 ? this.size : 0);
    return this.position;
  }

  content(): Uint8Array {
    return this.bytes.slice(0, this.size);
  }
}

/**
 * @param args with the program's name first; a path below `/out` is its output
 * @returns the content of that file
 */
export function runProgram(module: WebAssembly.Module, args: string[], maxOutputBytes: number): Uint8Array {
  const encoder = new TextEncoder();
  const encoded = args.map((arg) => encoder.encode(`${arg.replaceAll('\0', ' ')}\0`));
  const output = new MemoryFile(maxOutputBytes);
  const view = () => new DataView(program.memory.buffer);
  const bytes = (pointer: number, length: number) => new Uint8Array(program.memory.buffer, pointer, length);

  const calls: Record<string, (...values: number[]) => number> = {
    args_sizes_get(count = 0, size = 0) {
      view().setUint32(count, encoded.length, true);
      view().setUint32(
        size,
        encoded.reduce((sum, { length }) => sum + length, 0),
        true,
      );
      return SUCCESS;
    },
    args_get(pointers = 0, buffer = 0) {
      for (const [index, arg] of encoded.entries()) {
        view().setUint32(pointers + index * 4, buffer, true);
        bytes(buffer, arg.length).set(arg);
        buffer += arg.length;
      }
      return SUCCESS;
    },
    fd_close: () => SUCCESS,
    fd_fdstat_get(file = 0, stat = 0) {
      if (file > OUTPUT_FILE) return BAD_FILE;
      bytes(stat, 24).fill(0);
      view().setUint8(stat, file === FOLDER ? DIRECTORY_TYPE : REGULAR_TYPE);
      view().setBigUint64(stat + 8, ~0n, true);
      view().setBigUint64(stat + 16, ~0n, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    fd_prestat_get(file = 0, stat = 0) {
      if (file !== FOLDER) return BAD_FILE;
      view().setUint32(stat, 0, true);
      view().setUint32(stat + 4, '/out'.length, true);
      return SUCCESS;
    },
    fd_prestat_dir_name(_file, path = 0, length = 0) {
      bytes(path, length).set(encoder.encode('/out').subarray(0, length));
      return SUCCESS;
    },
    path_open(_folder, _flags, path = 0, length = 0, openFlags = 0, ...rest) {
      const creates = (openFlags & 1) !== 0;
      if (!creates || new TextDecoder().decode(bytes(path, length)) !== 'speech.wav') return NO_ENTRY;
      view().setUint32(rest.at(-1) ?? 0, OUTPUT_FILE, true);
      return SUCCESS;
    },
    fd_read(_file, _vectors, _count, read = 0) {
      view().setUint32(read, 0, true);
      return SUCCESS;
    },
    fd_write(file = 0, vectors = 0, count = 0, written = 0) {
      let total = 0;
      for (let index = 0; index < count; index++) {
        const pointer = view().getUint32(vectors + index * 8, true);
        const length = view().getUint32(vectors + index * 8 + 4, true);
        if (file === OUTPUT_FILE) output.write(bytes(pointer, length));
        total += length;
      }
      view().setUint32(written, total, true);
      return SUCCESS;
    },
    proc_exit(code = 0) {
      throw new ProgramExit(code);
    },
  };
  const wide = {
    clock_time_get(_clock: number, _precision: bigint, time: number) {
      view().setBigUint64(time, BigInt(Date.now()) * 1_000_000n, true);
      return SUCCESS;
    },
    fd_seek(file: number, offset: bigint, whence: number, position: number) {
      if (file !== OUTPUT_FILE) return BAD_FILE;
      view().setBigUint64(position, BigInt(output.seek(Number(offset), whence)), true);
      return SUCCESS;
    },
  };

  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { ...calls, ...wide } });
  const program = instance.exports as { memory: WebAssembly.Memory; _start(): void };
  try {
    program._start();
  } catch (error) {
    if (!(error instanceof ProgramExit) || error.code !== 0) throw error;
  }
  return output.content();
}
