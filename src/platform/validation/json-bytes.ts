/**
 * The bytes of a value as JSON in UTF-8, with the digits of its numbers written out: Postgres prints a stored 1e308 with
 * 309 of them.
 */
export function jsonBytes(value: unknown): number {
  let added = 0;
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'number') added += digitsWithoutExponent(item) - String(item).length;
    return item;
  }) as string | undefined;
  return Buffer.byteLength(text ?? '') + added;
}

function digitsWithoutExponent(value: number): number {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text.length;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent);
  return power > 0 ? whole.length + power : whole.length + fraction.length - power + 1;
}
