import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

export class PhoneNumbers {
  constructor(private readonly requests: Requests) {}

  list(
    filter: ListFilter<'listPhoneNumbers'> = {},
    options?: RequestOptions,
  ): List<Schemas['PhoneNumberDto']> {
    return new List(
      async (page, limit) => {
        const { data, pagination } = await this.requests.safe(
          (api, init) =>
            api.GET('/api/phone-number', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        );
        return { data: data.phone_numbers, pagination };
      },
      ({ _id }) => _id,
      filter.limit,
    );
  }

  /** Gives a number to an agent, and adds it to the workspace if nobody has it. */
  assign(
    agentId: string,
    fields: Schemas['PhoneNumberInputDto'],
    options?: RequestOptions,
  ): Promise<Schemas['AssignedPhoneNumberDto']> {
    const path = checkPath({ agent_id: agentId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.PUT('/api/agents/{agent_id}/phone-number', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Removes a number from the workspace. */
  async release(number: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ number });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/phone-number/{number}', { params: { path }, ...init }),
      options,
    );
  }
}
