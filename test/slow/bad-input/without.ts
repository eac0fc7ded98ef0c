/** Returns the fields without one of them. */
export function without<Value>(fields: Record<string, Value>, name: string): Record<string, Value> {
  const { [name]: _, ...rest } = fields;
  return rest;
}
