import { crc32 } from 'node:zlib';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

interface PdfOptions {
  /** The content stream of each page. */
  contents: Buffer[];
  filter?: string;
  encrypted?: boolean;
}

/** A PDF with a correct cross-reference table. */
function pdfFile({ contents, filter = '', encrypted = false }: PdfOptions): Buffer {
  const pageIds = contents.map((_, index) => 4 + index * 2);
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pageIds.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ];
  const secret = `<${'ab'.repeat(32)}>`;
  const security = encrypted
    ? `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4 >>`
    : '';
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R ${security} >>\n` +
        `startxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const drawing = (text: string) => {
  const lines = text.split('\n').map((line) => `(${line}) Tj`);
  return Buffer.from(`BT /F1 12 Tf 72 720 Td ${lines.join(' 0 -14 Td ')} ET`, 'latin1');
};

/** A PDF with the lines of each page. */
export const createPdf = (...pages: string[]): Buffer => pdfFile({ contents: pages.map(drawing) });

/** A PDF whose page has a rectangle but no text, like a scanned page. */
export const pdfWithoutText = (): Buffer => pdfFile({ contents: [Buffer.from('10 10 100 100 re f')] });

/** A PDF that needs a password. */
export const encryptedPdf = (): Buffer => pdfFile({ contents: [drawing('Secret')], encrypted: true });

/** Compressed zeros, nearly a thousand times smaller, created without the uncompressed bytes. */
function compressedZeros(megabytes: number): Buffer {
  const megabyte = Buffer.alloc(1024 * 1024);
  // A block that ends with a full flush refers to nothing before it, so it can be repeated.
  const block = deflateRawSync(megabyte, { finishFlush: constants.Z_FULL_FLUSH });
  const header = deflateSync(Buffer.alloc(0)).subarray(0, 2);
  return Buffer.concat([
    header,
    ...Array.from({ length: megabytes }, () => block),
    deflateRawSync(Buffer.alloc(0)),
  ]);
}

/** A PDF of a few kilobytes that exceeds the time limit of a reader: it saves the graphics state a million times. */
export const slowPdf = (): Buffer =>
  pdfFile({ contents: [deflateSync('q '.repeat(1_000_000))], filter: '/Filter /FlateDecode' });

/** A PDF of a few megabytes whose page decompresses to many megabytes. */
export const pdfBomb = (megabytes: number): Buffer =>
  pdfFile({ contents: [compressedZeros(megabytes)], filter: '/Filter /FlateDecode' });

interface ZipEntry {
  name: string;
  content: Buffer | string;
  /** The size in the headers, if it differs from the real size. */
  declaredSize?: number;
}

/** A ZIP file. */
export function createZip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize } of entries) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredSize ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

const CONTENT_TYPES = `<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
  <Default Extension="xml" ContentType="application/xml"/>
  <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;

const RELATIONSHIPS = `<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;

/** A Word document of paragraphs, each of which is XML within `<w:body>` or plain text. */
export function createDocx(paragraphs: string[], more: ZipEntry[] = []): Buffer {
  const body = paragraphs
    .map((text) => (text.startsWith('<w:') ? text : `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`))
    .join('');
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return createZip([
    { name: '[Content_Types].xml', content: CONTENT_TYPES },
    { name: '_rels/.rels', content: RELATIONSHIPS },
    { name: 'word/document.xml', content: document },
    ...more,
  ]);
}
