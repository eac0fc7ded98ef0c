import { BUILT_IN } from './actions';
import { takeName } from './names';

/** A header with a value that is in no file. */
export interface SecretHeader {
  name: string;
  /** null: the source only names it */
  value: string | null;
}

/** The tools of a run, which all its agents share. */
export class ToolFiles {
  /** The content of each file, by the name of its tool. */
  readonly files = new Map<string, Record<string, unknown>>();
  private readonly names = new Set<string>(BUILT_IN);
  private readonly secrets = new Set<string>();
  /** The names of tools, by all that they are. Values of secrets stay in memory. */
  private readonly known = new Map<string, string>();

  /**
   * Adds a tool, unless there is the same one.
   * @returns its name, which is another than the given one if that is taken
   */
  add(name: string, fields: Record<string, unknown>, secretHeaders: SecretHeader[]): string {
    const identity = JSON.stringify([name, fields, secretHeaders]);
    const known = this.known.get(identity);
    if (known !== undefined) return known;
    const free = takeName(name, this.names, '_');
    const secrets = secretHeaders.map((header) => ({ header, secret: this.takeSecret(free, header.name) }));
    const headers = {
      ...(fields.headers as Record<string, string>),
      ...Object.fromEntries(secrets.map(({ header, secret }) => [header.name, `{{secret:${secret}}}`])),
    };
    this.files.set(free, {
      name: free,
      ...fields,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(secrets.length > 0 && {
        secrets: Object.fromEntries(secrets.map(({ secret }) => [secret, `\${env:${secret}}`])),
      }),
    });
    this.known.set(identity, free);
    return free;
  }

  /** The names of the variables of the environment that have the secrets. */
  get environment(): string[] {
    return [...this.secrets];
  }

  private takeSecret(tool: string, header: string): string {
    // Other names could be those of secrets that the environment has already, for somebody else.
    const name = `imported_${tool}_${header}`.toUpperCase().replace(/[^A-Z\d]+/g, '_');
    return takeName(name.slice(0, 60).replace(/_+$/, ''), this.secrets, '_');
  }
}
