/** Writes the parameters of a query. A member of an object is a parameter of its own, such as `field.city`. */
export function writeQuery(query: Record<string, unknown>): string {
  const written = new URLSearchParams();
  const write = (name: string, value: unknown): void => {
    if (Array.isArray(value)) value.forEach((item) => write(name, item));
    else if (typeof value === 'object' && value !== null)
      Object.entries(value).forEach(([member, of]) => write(`${name}.${member}`, of));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      written.append(name, String(value));
  };
  Object.entries(query).forEach(([name, value]) => write(name, value));
  return written.toString();
}
