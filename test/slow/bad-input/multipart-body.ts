export const BOUNDARY = 'boundary';

export interface Part {
  name: string;
  content: string | Buffer;
  fileName?: string;
  /** Replaces the Content-Disposition header. */
  disposition?: string;
  /** Further headers of the part. */
  headers?: string[];
}

/** The parts for the fields of a form. */
export const toParts = (fields: Record<string, unknown>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    content: String(value),
    ...(name === 'file' && { fileName: 'example.txt' }),
  }));

const createHead = ({ name, fileName, disposition, headers = [] }: Part) => {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`;
  return [disposition ?? `Content-Disposition: form-data; name="${name}"${file}`, ...headers];
};

/** Encodes parts as a multipart body. */
export function multipartBody(
  parts: Part[],
  { end = `--${BOUNDARY}--\r\n`, lineBreak = '\r\n' } = {},
): Buffer {
  const pieces = parts.flatMap((part) => [
    [`--${BOUNDARY}`, ...createHead(part).filter(Boolean), '', ''].join(lineBreak),
    part.content,
    lineBreak,
  ]);
  return Buffer.concat(
    [...pieces, end].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}
