/** The members of all statements, whatever their parameters are. */
export interface DeclaredStatement {
  /** The name, unique in the application. Errors, the fault suite and docs/statements.sql use it. */
  readonly name: string;
  /** The SQL, with `$1`, `$2`, … in the place of the names of parameters. */
  readonly text: string;
  /** The names of the parameters: the parameter of `$1` first. */
  readonly parameters: readonly string[];
  /** Postgres parses a prepared statement once for each connection, and may plan it once for all values. */
  readonly isPrepared: boolean;
}

/** A statement with named parameters, as {@link statement} makes it. */
export interface Statement<Parameters extends object, Row extends object> extends DeclaredStatement {
  readonly parameters: readonly (keyof Parameters & string)[];
  /** The type of what Postgres returns. It has no value. */
  readonly row?: Row;
}

const PARAMETER = /\$([a-z]\w*)/gi;

const declared = new Map<string, DeclaredStatement>();

/** The statements of all modules that this process has loaded. */
export const declaredStatements = (): readonly DeclaredStatement[] => [...declared.values()];

/**
 * Declares a prepared statement, whose parameters are written as `$name` in the SQL and typed by `Parameters`.
 * @throws Error if the name is empty, or another statement has it
 */
export const statement = <Parameters extends object = object, Row extends object = object>(
  name: string,
  sql: string,
): Statement<Parameters, Row> => declare(name, sql, { isPrepared: true });

/**
 * Declares a statement as {@link statement} does. Postgres plans it each time, because the best plan depends on
 * the values.
 */
export const unpreparedStatement = <Parameters extends object = object, Row extends object = object>(
  name: string,
  sql: string,
): Statement<Parameters, Row> => declare(name, sql, { isPrepared: false });

function declare<Parameters extends object, Row extends object>(
  name: string,
  sql: string,
  { isPrepared }: { isPrepared: boolean },
): Statement<Parameters, Row> {
  const parameters: string[] = [];
  const text = sql.replace(PARAMETER, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  if (!name) throw new Error(`A statement needs a name, which no other statement has: ${text}`);
  if (declared.has(name)) throw new Error(`Two statements have the name "${name}". Rename this one: ${text}`);
  const made = { name, text, parameters: parameters as (keyof Parameters & string)[], isPrepared };
  declared.set(name, made);
  return made;
}

/**
 * Returns the query that the client library sends.
 * @throws TypeError for a parameter without a value; null is one
 */
export const buildQuery = <Parameters extends object>(
  statement: Statement<Parameters, object>,
  values: Parameters,
) => ({
  name: statement.isPrepared ? statement.name : undefined,
  text: statement.text,
  values: bindValues(statement, values),
});

/** @throws TypeError for a parameter without a value; null is one */
export function bindValues<Parameters extends object>(
  { name, parameters }: Statement<Parameters, object>,
  values: Parameters,
): unknown[] {
  return parameters.map((parameter) => {
    const value = values[parameter];
    if (value === undefined) throw new TypeError(`The statement ${name} has no value for $${parameter}`);
    return value;
  });
}

/** Rows as one JSON parameter, whatever their number. The SQL reads it by `json_to_recordset($rows::json)`. */
export type JsonRows<Row extends object> = string & { readonly row?: Row };

export const jsonRows = <Row extends object>(rows: readonly Row[]): JsonRows<Row> => JSON.stringify(rows);

const namesByText = new Map<string, string>();

/** The name of a declared statement by the text that is sent. */
export function findStatementName(text: string): string | undefined {
  if (namesByText.size !== declared.size) {
    for (const { name, text: sent } of declared.values()) namesByText.set(sent, name);
  }
  return namesByText.get(text);
}
