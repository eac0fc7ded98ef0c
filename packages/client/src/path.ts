import { ArgumentError } from './argument-error';
/**
 * The parameters of a path. An empty id would make another path: that of the list.
 * @throws ArgumentError
 */
export function checkPath<Parameters extends Record<string, string>>(parameters: Parameters): Parameters {
  for (const [name, value] of Object.entries(parameters) as [string, unknown][]) {
    const isUsable = typeof value === 'string' && !/^\.{0,2}$/.test(value);
    if (!isUsable)
      throw new ArgumentError(`${name} must be a text that is not empty, not ${JSON.stringify(value)}`);
  }
  return parameters;
}
