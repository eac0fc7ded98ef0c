/** A statement with named parameters, as {@link statement} makes it. */
export interface Statement<Parameters extends object, Row extends object> {
  /** Postgres parses and plans a named statement once for each connection. */
  readonly name: string;
  /** With `$1`, `$2`, … in the place of the names. */
  readonly text: string;
  /** The parameter of `$1` first. */
  readonly parameters: readonly (keyof Parameters & string)[];
  /** Only a type: what Postgres returns. */
  readonly row?: Row;
}

const PARAMETER = /\$([a-z]\w*)/gi;

/**
 * Declares a statement, whose parameters are written as `$name` in the SQL and typed by `Parameters`.
 * @param name unique in the application
 */
export function statement<Parameters extends object = object, Row extends object = object>(
  name: string,
  sql: string,
): Statement<Parameters, Row> {
  const parameters: string[] = [];
  const text = sql.replace(PARAMETER, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text, parameters: parameters as (keyof Parameters & string)[] };
}

/** @throws TypeError for a parameter without a value; null is one */
export function valuesOf<Parameters extends object>(
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
