import { ArgumentError } from './argument-error';
import type { FileInput } from './types';

interface Fields {
  file: FileInput;
  fileName?: string;
}

/**
 * The body of a form with a file. The types of the API document have a text in the place of the file.
 * @param defaultName the name of a file that has none
 */
export const writeForm = <Form extends Fields>(fields: Form, defaultName: string) => ({
  body: { ...fields, file: '' },
  bodySerializer: () => toForm(fields, defaultName),
});

/** Writes fields as a form: objects and lists as JSON, as the API reads them. */
function toForm({ file, fileName, ...fields }: Fields, defaultName: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, toText(value));
  }
  form.append('file', toBlob(file), fileName ?? (file instanceof File ? file.name : defaultName));
  return form;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}

function toBlob(file: unknown): Blob {
  if (file instanceof Blob) return file;
  if (file instanceof Uint8Array) return new Blob([file]);
  throw new ArgumentError('file must be a File, a Blob or a Buffer');
}
