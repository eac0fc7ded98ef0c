import { writeForm } from '../form';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { FormFields, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

export class DoNotCall {
  constructor(private readonly requests: Requests) {}

  list(
    filter: ListFilter<'listDoNotCall'> = {},
    options?: RequestOptions,
  ): List<Schemas['DoNotCallEntryDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/do-not-call', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ phone_number }) => phone_number,
      filter.limit,
    );
  }

  /** Lists a number. It is no error if it is listed. */
  add(fields: Schemas['AddDoNotCallDto'], options?: RequestOptions): Promise<Schemas['DoNotCallEntryDto']> {
    return unwrap(
      this.requests.once((api, init) => api.POST('/api/do-not-call', { body: fields, ...init }), options),
    );
  }

  /** Lists the numbers of a CSV file. A row with an error refuses the file, unless `invalidRows` is `skip`. */
  import(
    fields: FormFields<Schemas['ImportDoNotCallDto']>,
    options?: RequestOptions,
  ): Promise<Schemas['ImportedDoNotCallDto']> {
    return unwrap(
      this.requests.once(
        (api, init) =>
          api.POST('/api/do-not-call/import', {
            ...writeForm(fields, 'numbers.csv'),
            ...init,
          }),
        options,
      ),
    );
  }

  async remove(phoneNumber: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ phone_number: phoneNumber });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/do-not-call/{phone_number}', { params: { path }, ...init }),
      options,
    );
  }
}
