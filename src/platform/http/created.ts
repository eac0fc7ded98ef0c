/** The result of a handler whose response has the header Location. */
export class Created<Data, Row = unknown> {
  constructor(
    readonly data: Data,
    readonly location: string,
    /** The created row, which is not a part of the response. */
    readonly row: Row,
  ) {}
}
