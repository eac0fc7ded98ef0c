import { AGENT } from '../../generated/definitions';
import { AnalysisImport } from './analysis-import';
import { Definition } from './definition';
import type { Part } from './source';
import { adoptText, type OwnVariables } from './texts';
import type { ToolFiles } from './tool-files';
import { Actions } from './actions';

/** More cannot be declared. The others are filled in without it. */
const MAX_VARIABLES = 1_000;

/** Does something with a part of the source. */
export type Rule = (part: Part, agent: AgentImport) => void;

/** The rules for the parts of a source, by their paths. */
export type Rules = Record<string, Rule>;

/** The agent that a source becomes. */
export class AgentImport {
  readonly definition = new Definition(AGENT);
  readonly analysis = new AnalysisImport();
  readonly actions = new Actions();
  private readonly variables = new Set<string>();
  private readonly set = new Set<string>();

  /** @param own the variables that the platform fills in by itself */
  constructor(
    readonly source: Part,
    readonly tools: ToolFiles,
    readonly own: OwnVariables,
  ) {}

  apply(part: Part, rules: Rules): void {
    for (const [path, rule] of Object.entries(rules)) rule(part.at(path), this);
  }

  /** Writes values of fields, and says so of the part that they are from. */
  put(part: Part, values: Record<string, unknown>, note = ''): void {
    const problem = this.definition.put(values);
    if (problem === undefined) part.understood(Object.keys(values).join(', ') + note);
    else part.refused(problem);
  }

  /** Writes a text, with the variables in it and other fields, and says so of the parts that it is from. */
  putText(parts: Part[], field: string, given: string, others: Record<string, unknown> = {}): void {
    const { text, variables, unfilled } = adoptText(given, this.own);
    const problem = this.definition.put({ [field]: text, ...others });
    const shown = unfilled.slice(0, 5).join(' ');
    const note = shown === '' ? '' : ` (nothing fills ${shown})`;
    for (const part of parts) {
      if (problem === undefined) part.understood(`${field}${note}`);
      else part.refused(problem);
    }
    if (problem === undefined) for (const name of variables) this.variables.add(name);
  }

  /** Declares a variable that calls give. */
  declare(part: Part, name: string): void {
    const { variables, unfilled } = adoptText(`{{${name}}}`, this.own);
    if (variables.length > 0) {
      this.variables.add(name);
      part.understood('dynamic_variables (its name: a variable has no default)');
    } else if (this.own.renamed.has(name) || unfilled.length > 0)
      part.refused('the platform fills it in by itself');
    else part.refused('it cannot be the name of a variable');
  }

  /** Notes a variable that the call itself sets, so that it is not one that each call must be started with. */
  noteSet(name: string): void {
    this.set.add(name);
  }

  /** The content of its file. */
  finish(defaults: Record<string, unknown>): Record<string, unknown> {
    const variables = [...this.variables].filter((name) => !this.set.has(name)).slice(0, MAX_VARIABLES);
    this.definition.fill({
      ...defaults,
      ...(variables.length > 0 && { dynamic_variables: variables }),
      ...(this.actions.list.length > 0 && { actions: this.actions.list }),
    });
    const { name, type, greeting, prompt, ...others } = this.definition.fields;
    const analysis = this.analysis.finish();
    return {
      ...{ name, type, greeting },
      ...(prompt !== undefined && { prompt }),
      ...others,
      ...(analysis && { analysis }),
    };
  }
}
