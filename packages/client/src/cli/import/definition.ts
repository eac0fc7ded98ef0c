import type { FieldSchema } from '../../generated/definitions';
import { findProblem } from './bounds';

type Fields = Record<string, unknown>;

/** The content of a file. It takes only what the server accepts. */
export class Definition {
  readonly fields: Fields = {};

  constructor(private readonly schema: FieldSchema) {}

  /**
   * Writes values by the paths of their fields: all, or none of them.
   * @returns why they cannot be written
   */
  put(values: Record<string, unknown>): string | undefined {
    for (const [path, value] of Object.entries(values)) {
      const problem = findProblem(this.schemaOf(path), value);
      if (problem !== undefined) return problem;
    }
    for (const [path, value] of Object.entries(values)) {
      const { holder, name } = this.find(path);
      holder[name] = value;
    }
    return undefined;
  }

  /** Writes the values whose fields have none. */
  fill(values: Record<string, unknown>): void {
    const missing = Object.entries(values).filter(([path]) => {
      const { holder, name } = this.find(path);
      return holder[name] === undefined;
    });
    const problem = this.put(Object.fromEntries(missing));
    if (problem !== undefined) throw new Error(`A default cannot be written: ${problem}`);
  }

  private find(path: string): { holder: Fields; name: string } {
    const names = path.split('.');
    const name = names.pop() ?? '';
    const holder = names.reduce((at, each) => (at[each] ??= {}) as Fields, this.fields);
    return { holder, name };
  }

  private schemaOf(path: string): FieldSchema {
    return path.split('.').reduce((schema, name) => {
      const field = schema.properties?.[name];
      if (!field) throw new Error(`The API has no field ${path}`);
      return field;
    }, this.schema);
  }
}
