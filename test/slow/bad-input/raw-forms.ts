import type { Case } from './case';
import { BOUNDARY, multipartBody, type Part, toParts } from './multipart-body';
import {
  FORM_TYPE,
  FORM_TYPE_WITH_BOUNDARY as FORM,
  validBody,
  validHead,
  getSchema,
  acceptsBody,
  type Target,
} from './target';

interface RawForm {
  title: string;
  body: string | Buffer;
  contentType?: string;
  /** The form is unusual, but may be valid. */
  isUnusual?: boolean;
}

/** Invalid and unusual forms. */
export function rawFormCases(target: Target): Case[] {
  const head = validHead(target);
  const createCase = (
    { title, body, contentType = FORM, isUnusual = false }: RawForm,
    acceptsForms: boolean,
  ): Case => ({
    title: `a form ${title}`,
    request: { ...head, headers: { ...head.headers, 'content-type': contentType }, body },
    isInvalid: acceptsBody(target) && !(acceptsForms && isUnusual),
  });
  if (!getSchema(target, FORM_TYPE)) {
    // A route without a body would execute the request.
    if (!acceptsBody(target)) return [];
    return [
      createCase(
        { title: 'for a route that takes none', body: multipartBody([{ name: 'a', content: '1' }]) },
        false,
      ),
    ];
  }
  return createForms(target).map((form) => createCase(form, true));
}

function createForms(target: Target): RawForm[] {
  const { file: content, ...rest } = validBody(target, FORM_TYPE);
  const fields = toParts(rest);
  const isCheck = target.route.name.endsWith('/validate');
  const file = { name: 'file', content: String(content), fileName: 'example.txt' };
  const valid = multipartBody([...fields, file]);
  const withFile = (changes: Partial<Part>) => multipartBody([...fields, { ...file, ...changes }]);
  const named = (fileName: string): RawForm => ({
    title: `with the file name ${JSON.stringify(fileName).slice(0, 40)}`,
    body: withFile({ fileName }),
    isUnusual: true,
  });
  const many = (count: number) =>
    multipartBody([
      ...fields,
      file,
      ...Array.from({ length: count }, (_, index) => ({ name: `a${index}`, content: '' })),
    ]);

  return [
    { title: 'without a boundary', body: valid, contentType: FORM_TYPE },
    { title: 'with an empty boundary', body: valid, contentType: `${FORM_TYPE}; boundary=` },
    { title: 'with another boundary', body: valid, contentType: `${FORM_TYPE}; boundary=other` },
    {
      title: 'with a boundary of 4 KB',
      body: valid,
      contentType: `${FORM_TYPE}; boundary=${'b'.repeat(4_096)}`,
    },
    { title: 'with two boundaries', body: valid, contentType: `${FORM}; boundary=other`, isUnusual: true },
    { title: 'truncated in its file', body: valid.subarray(0, -30) },
    { title: 'truncated in the headers of a part', body: `--${BOUNDARY}\r\nContent-Disposition: form-da` },
    { title: 'without its last boundary', body: multipartBody([...fields, file], { end: '' }) },
    { title: 'with only the last boundary', body: `--${BOUNDARY}--\r\n` },
    { title: 'without parts', body: '\r\n' },
    { title: 'in JSON', body: JSON.stringify(rest) },
    { title: 'with lines that end in LF', body: multipartBody([...fields, file], { lineBreak: '\n' }) },
    {
      title: 'with bytes before and after it',
      body: Buffer.concat([Buffer.from('a\r\n'), valid, Buffer.from('b')]),
      isUnusual: true,
    },
    { title: 'with 60 parts', body: many(60) },
    { title: 'with 10,000 parts', body: many(10_000) },
    {
      title: 'with a file within a part',
      body: withFile({
        headers: ['Content-Type: multipart/mixed; boundary=inner'],
        content: '--inner\r\nContent-Disposition: file; filename="a"\r\n\r\nx\r\n--inner--',
      }),
      isUnusual: true,
    },
    { title: 'with two files', body: multipartBody([...fields, file, file]) },
    {
      title: 'with a second file in another field',
      body: multipartBody([...fields, file, { ...file, name: 'other' }]),
    },
    { title: 'with its file in another field', body: withFile({ name: 'other' }) },
    { title: 'with its file as a text', body: multipartBody([...fields, { name: 'file', content: 'x' }]) },
    // A check of a file answers with its errors.
    { title: 'with an empty file', body: withFile({ content: '' }), isUnusual: isCheck },
    { title: 'with a part without headers', body: withFile({ disposition: '' }) },
    {
      title: 'with a part without a name',
      body: withFile({ disposition: 'Content-Disposition: form-data' }),
    },
    {
      title: 'with a part that is an attachment',
      body: withFile({ disposition: 'Content-Disposition: attachment; name="file"; filename="a.txt"' }),
    },
    { title: 'with an incomplete header', body: withFile({ disposition: 'Content-Disposition' }) },
    { title: 'with a header of 20 KB', body: withFile({ headers: [`X-Long: ${'x'.repeat(20_000)}`] }) },
    {
      title: 'with 3,000 headers in a part',
      body: withFile({ headers: Array<string>(3_000).fill('X: 1') }),
      isUnusual: true,
    },
    {
      title: 'with a file that is declared as base64',
      body: withFile({ headers: ['Content-Transfer-Encoding: base64'] }),
      isUnusual: true,
    },
    { title: 'with a charset', body: valid, contentType: `${FORM}; charset=utf-16`, isUnusual: true },
    {
      title: 'with an invalid content type of its file',
      body: withFile({ headers: ['Content-Type: \x01/__proto__; charset=nothing'] }),
      isUnusual: true,
    },
    ...[
      '../../../../evil.txt',
      '..\\..\\evil.txt',
      '/etc/evil.txt',
      'evil.txt\0.csv',
      `${'x'.repeat(65_536)}.txt`,
      '',
      '.',
      '\u202etxt.exe',
      '%2e%2e%2fevil.txt',
      '" onload="x',
      '__proto__',
    ].map(named),
  ];
}
