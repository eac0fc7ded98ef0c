/** What a handler returns whose answer names the place of what it made, in the header Location. */
export class Created<Data> {
  constructor(
    readonly data: Data,
    readonly location: string,
  ) {}
}
