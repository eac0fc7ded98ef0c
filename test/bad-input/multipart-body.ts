export const BOUNDARY = 'boundary';

export interface Part {
  name: string;
  content: string | Buffer;
  fileName?: string;
  /** Instead of the header that has name and file name. */
  disposition?: string;
  /** Other lines of its head. */
  headers?: string[];
}

/** A part for each field of a form. */
export const partsOf = (fields: Record<string, unknown>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    content: String(value),
    ...(name === 'file' && { fileName: 'example.txt' }),
  }));

const headOf = ({ name, fileName, disposition, headers = [] }: Part) => {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  return [disposition ?? `Content-Disposition: form-data; name="${name}"${file}`, ...headers];
};

/** A form with these parts, as it goes over the wire. */
export function multipartBody(
  parts: Part[],
  { end = `--${BOUNDARY}--\r\n`, lineBreak = '\r\n' } = {},
): Buffer {
  const pieces = parts.flatMap((part) => [
    [`--${BOUNDARY}`, ...headOf(part).filter(Boolean), '', ''].join(lineBreak),
    part.content,
    lineBreak,
  ]);
  return Buffer.concat(
    [...pieces, end].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}
