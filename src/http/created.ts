/** The result of a handler whose response has the header Location. */
export class Created<Data> {
  constructor(
    readonly data: Data,
    readonly location: string,
  ) {}
}
