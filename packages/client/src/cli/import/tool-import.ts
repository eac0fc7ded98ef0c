import { TOOL } from '../../generated/definitions';
import type { AgentImport } from './agent-import';
import { findTextProblem, isInheritedName } from './bounds';
import { Definition } from './definition';
import { toIdentifier, toWords } from './names';
import { SchemaReader, type TakeOut } from './parameters';
import { isOpenHeader, isSecret } from './secrets';
import { NOT_SET, type Part } from './source';
import { adoptText } from './texts';
import type { SecretHeader } from './tool-files';

/** The headers that the server sets, or that HTTP itself needs. */
const OWN_HEADERS =
  /^(?:idempotency-key|webhook-.*|x-parley-.*|traceparent|tracestate|host|connection|keep-alive|mcp-.*|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,2000}$/;

const MAX_SECRETS = 10;
const MAX_ENTRIES = 20;
/** An agent that waits longer than this for a tool would be silent too long. */
const LONGEST_WAIT_MS = 60_000;

/** A part of an address that is filled in: `{name}` or `{{name}}`. */
const PLACEHOLDER = /\{\{?([^{}]{1,200})\}?\}/g;

/** The types of the values that a text can stand for. */
const SCALARS = ['string', 'number', 'boolean'];

/** A request of an agent of another platform, which becomes the file of a tool. */
export class ToolImport {
  private readonly definition = new Definition(TOOL);
  private readonly schemas = new SchemaReader();
  private readonly schema: Record<string, unknown> = {};
  private readonly properties = new Map<string, unknown>();
  private readonly required = new Set<string>();
  private readonly headers: Record<string, string> = {};
  private readonly secrets: SecretHeader[] = [];
  private readonly fixed = new Map<string, { value: string; part: Part; around: Part }>();
  private readonly results: { variable: string; pointer: string }[] = [];
  /** The parts of the source by the field that they are in, which gets its file at the end. */
  private readonly marks: [part: Part, field: string][] = [];
  private name = 'tool';
  private url: Part | undefined;
  private urlNote = '';
  private readonly query = new URLSearchParams();
  private problem: string | undefined;

  constructor(
    private readonly part: Part,
    private readonly agent: AgentImport,
  ) {}

  readName(part: Part): this {
    this.name = toIdentifier(part.text, 'tool');
    if (part.value !== undefined) this.marks.push([part, 'name']);
    return this;
  }

  readDescription(part: Part): this {
    if (part.text !== '') this.put(part, { description: part.text });
    else if (part.value !== undefined) this.marks.push([part, 'description']);
    return this;
  }

  readMethod(part: Part, otherwise: string): this {
    if (part.value === undefined || part.value === null) this.definition.put({ method: otherwise });
    else if (this.definition.put({ method: part.text.toUpperCase() }) === undefined)
      this.marks.push([part, 'method']);
    else this.problem = 'its method is none of those that tools have';
    return this;
  }

  /** The address is read at the end, when the parameters in it are known. @param note what it is asked for otherwise */
  readUrl(part: Part, note = ''): this {
    this.url = part;
    this.urlNote = note;
    return this;
  }

  /** @param takeOut takes out what the model does not choose, such as by {@link readFixed} */
  readParameters(part: Part, takeOut?: TakeOut): this {
    if (part.value === undefined || part.value === null) return this;
    const isObject = part.at('type').text === 'object' || part.at('properties').value !== undefined;
    const schema = isObject ? this.schemas.read(part, '', takeOut) : undefined;
    if (schema) this.addParameters(schema);
    else part.refused('the parameters of a tool are a schema of the type object');
    return this;
  }

  /** Parameters in the path of the address, which are required. */
  readPathParameters(part: Part): this {
    for (const [name, property] of part.entries) {
      const schema = isInheritedName(name) ? undefined : this.schemas.read(property, name);
      if (schema) this.addParameters({ type: 'object', properties: { [name]: schema }, required: [name] });
      else property.refused('it cannot be a parameter');
    }
    return this;
  }

  /** The parameters of the query that each request has. */
  readQuery(part: Part): this {
    for (const [name, value] of part.entries) {
      if (isSecret(name, value.value)) value.refused('it may be a secret, and secrets are in headers only');
      else if (!SCALARS.includes(typeof value.value) || /[{}]/.test(name + String(value.value)))
        value.refused('the query of an address has no variables');
      else {
        this.query.append(name, String(value.value));
        this.marks.push([value, 'url']);
      }
    }
    return this;
  }

  /**
   * A value that each request has, and that the model does not choose.
   * @param around what describes it, such as a property of a schema
   */
  readFixed(part: Part, name: string, value: unknown = part.value, around: Part = part): this {
    const text = String(value);
    const adopted = adoptText(text, this.agent.own);
    const isFull = this.fixed.size >= MAX_ENTRIES || !SCALARS.includes(typeof value);
    const why = isSecret(name, value)
      ? 'it may be a secret, and secrets are in headers only'
      : isInheritedName(name) || name.length > 60 || text.length > 2_000 || isFull
        ? `a tool has at most ${MAX_ENTRIES} fixed values, which are texts`
        : adopted.unfilled.length > 0 || adopted.text !== text
          ? 'nothing fills a placeholder in it'
          : (findTextProblem(name) ?? findTextProblem(text));
    if (why !== undefined) around.refused(why);
    else this.fixed.set(name, { value: text, part, around });
    return this;
  }

  /** @param value null: the source only names it */
  readHeader(name: string, part: Part, value: string | null = part.text): this {
    const why = this.findHeaderProblem(name, value);
    if (why === NOT_SET) part.understood('what tools send is JSON');
    else if (why !== undefined) part.refused(why);
    else if (value !== null && isOpenHeader(name, value)) {
      this.headers[name] = value;
      this.marks.push([part, `headers.${name}`]);
    } else {
      this.secrets.push({ name, value });
      this.marks.push([part, `headers.${name}`]);
    }
    return this;
  }

  /** @param milliseconds the unit of the value @param otherwise the time of the platform, in milliseconds */
  readTimeout(part: Part, milliseconds: number, otherwise: number): this {
    const isGiven = part.value !== undefined && part.value !== null;
    const longest = this.definition.fields.mode === 'background' ? Infinity : LONGEST_WAIT_MS;
    const time = typeof part.value === 'number' ? Math.round(part.value * milliseconds) : part.value;
    if (isGiven && typeof time === 'number' && time > longest)
      part.refused(`an agent waits at most ${LONGEST_WAIT_MS / 1_000} s for a tool`);
    else if (isGiven) this.put(part, { timeout_ms: time });
    this.definition.fill({ timeout_ms: Math.min(otherwise, LONGEST_WAIT_MS) });
    return this;
  }

  /** Whether the conversation goes on meanwhile. */
  readBackground(part: Part, isBackground: boolean): this {
    if (part.value !== undefined && part.value !== null)
      this.put(part, { mode: isBackground ? 'background' : 'wait' });
    return this;
  }

  readSay(part: Part): this {
    if (part.value !== undefined && part.value !== null) this.put(part, { say: part.value });
    return this;
  }

  /** @param path where the value is in the answer, such as `booking.slots[0].id` */
  readResult(parts: Part[], variable: string, path: string): this {
    const names = path.replace(/^(?:response|\$)(?=[.[])\.?/, '').match(/[^.[\]]+/g) ?? [];
    const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const isPath = /^[\w$.[\]-]+$/.test(path) && pointer.length <= 200;
    const why =
      !isPath || names.length === 0
        ? 'it is no path of names, such as booking.id'
        : !/^[\p{L}_][\p{L}\p{N}_ -]{0,59}$/u.test(variable)
          ? 'it cannot be the name of a variable'
          : this.results.length >= MAX_ENTRIES
            ? `a tool has at most ${MAX_ENTRIES} results`
            : undefined;
    for (const part of parts) {
      if (why === undefined) this.marks.push([part, `results (${variable})`]);
      else part.refused(why);
    }
    if (why === undefined) this.results.push({ variable, pointer });
    return this;
  }

  /** Says of a part that the tool is what it asks for. */
  mark(part: Part, field: string): this {
    if (part.value !== undefined) this.marks.push([part, field]);
    return this;
  }

  /** Adds the tool to the agent, or refuses the whole of it. */
  finish(): void {
    const problem = this.problem ?? this.putUrl() ?? this.putRest();
    if (problem !== undefined || this.agent.actions.isFull) {
      this.part.refused(`the tool cannot be taken over: ${problem ?? 'the agent has too many actions'}`);
      return;
    }
    const { description, url, method, parameters, ...others } = this.definition.fields;
    const fields = { description, url, method, ...(parameters !== undefined && { parameters }), ...others };
    const name = this.agent.tools.add(this.name, fields, this.secrets);
    for (const part of this.schemas.parts) this.marks.push([part, 'parameters']);
    for (const { variable } of this.results) this.agent.noteSet(variable);
    this.agent.actions.addTool(name);
    const { secrets = {} } = (this.agent.tools.files.get(name) ?? {}) as { secrets?: Record<string, string> };
    const named = new Map(
      this.secrets.map(({ name: header }, at) => [`headers.${header}`, Object.keys(secrets)[at]]),
    );
    for (const [part, field] of this.marks) {
      const secret = named.get(field);
      part.alsoUnderstood(`tools/${name}.yaml ${field}${secret === undefined ? '' : `, secrets.${secret}`}`);
    }
  }

  private put(part: Part, values: Record<string, unknown>): void {
    const problem = this.definition.put(values);
    if (problem === undefined) this.marks.push([part, Object.keys(values).join(', ')]);
    else part.refused(problem);
  }

  private addParameters(schema: Record<string, unknown>): void {
    const { properties, required, ...others } = schema as { properties: object; required: string[] };
    for (const [name, property] of Object.entries(properties)) this.properties.set(name, property);
    for (const name of required) this.required.add(name);
    Object.assign(this.schema, others);
  }

  private findHeaderProblem(name: string, value: string | null): string | undefined {
    if (/^content-type$/i.test(name) && value?.includes('json')) return NOT_SET;
    if (OWN_HEADERS.test(name)) return 'Parley sets this header by itself';
    if (!HEADER_NAME.test(name) || isInheritedName(name)) return 'it cannot be the name of a header';
    const names = [...Object.keys(this.headers), ...this.secrets.map((header) => header.name)];
    if (names.some((other) => other.toLowerCase() === name.toLowerCase()))
      return 'the tool has this header already';
    if (value !== null && !HEADER_VALUE.test(value)) return 'a header has 1 to 2,000 characters of ASCII';
    if (value?.includes('{{')) return 'a header has no variables, but secrets';
    if (this.secrets.length >= MAX_SECRETS) return `a tool has at most ${MAX_SECRETS} secrets`;
    return undefined;
  }

  /** @returns why the address cannot be that of a tool */
  private putUrl(): string | undefined {
    const given = this.url?.text ?? '';
    const { required } = this;
    const url = given.replace(PLACEHOLDER, (placeholder, name: string) =>
      required.has(name.trim()) ? `{${name.trim()}}` : placeholder,
    );
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'it has no http(s) address';
    const hasSecret = [...parsed.searchParams].some(([name, value]) => isSecret(name, value));
    if (hasSecret || parsed.username !== '' || parsed.password !== '')
      return 'there may be a secret in its address, and secrets are in headers only';
    const [path = '', ...rest] = url.split(/(?=[?#])/);
    const origin = /^[^:]+:\/\/[^/?#]*/.exec(path)?.[0] ?? '';
    const open = path
      .slice(origin.length)
      .replace(PLACEHOLDER, (placeholder, name: string) =>
        placeholder === `{${name}}` && required.has(name) ? '' : placeholder,
      );
    if (/[{}]/.test(origin + open + rest.join('')))
      return 'its address has a variable that is no required parameter in its path';
    const [address = '', fragment = ''] = url.split(/(?=#)/);
    const separator = address.includes('?') ? '&' : '?';
    const query = this.query.size > 0 ? `${separator}${this.query.toString()}` : '';
    const problem = this.definition.put({ url: address + query + fragment });
    if (problem === undefined && this.url) this.marks.push([this.url, `url${this.urlNote}`]);
    return problem && `of its address: ${problem}`;
  }

  /** @returns why the rest cannot be that of a tool */
  private putRest(): string | undefined {
    const { properties, headers, results } = this;
    const fixed = [...this.fixed].filter(([name, { part, around }]) => {
      const isParameter = properties.has(name);
      if (isParameter) around.refused('the model chooses this parameter');
      else
        for (const [, each] of [['', part], ...around.entries] as const)
          this.marks.push([each, `fixed.${name}`]);
      return !isParameter;
    });
    const parameters = {
      ...this.schema,
      properties: Object.fromEntries(properties),
      required: [...this.required],
    };
    if (Buffer.byteLength(JSON.stringify(parameters)) > 32 * 1_024)
      return 'its parameters are larger than 32 KB';
    this.definition.fill({ description: `Does "${toWords(this.name).join(' ')}".` });
    return this.definition.put({
      ...('type' in this.schema && { parameters }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(fixed.length > 0 && { fixed: Object.fromEntries(fixed.map(([name, { value }]) => [name, value])) }),
      ...(results.length > 0 && { results }),
    });
  }
}
