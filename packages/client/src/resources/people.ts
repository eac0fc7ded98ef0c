import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

/** The people who may sign in to the workspace. */
export class People {
  constructor(private readonly requests: Requests) {}

  /** The people by name, including those who were invited only. */
  list(filter: ListFilter<'listPeople'> = {}, options?: RequestOptions): List<Schemas['PersonDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/people', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ id }) => id,
      filter.limit,
    );
  }

  get(personId: string, options?: RequestOptions): Promise<Schemas['PersonDto']> {
    const path = checkPath({ person_id: personId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/people/{person_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Adds a person. @returns a link that signs in once, which only this answer has */
  invite(fields: Schemas['InvitePersonDto'], options?: RequestOptions): Promise<Schemas['PersonLinkDto']> {
    return unwrap(
      this.requests.once((api, init) => api.POST('/api/people', { body: fields, ...init }), options),
    );
  }

  update(
    personId: string,
    fields: Schemas['UpdatePersonDto'],
    options?: RequestOptions,
  ): Promise<Schemas['PersonDto']> {
    const path = checkPath({ person_id: personId });
    return unwrap(
      this.requests.once(
        (api, init) => api.PATCH('/api/people/{person_id}', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** Makes a link that signs in once. Unused links of the person are not valid any more. */
  link(personId: string, options?: RequestOptions): Promise<Schemas['PersonLinkDto']> {
    const path = checkPath({ person_id: personId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/people/{person_id}/link', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Removes a person with their sessions, links, and the keys and tokens that these created. */
  async remove(personId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ person_id: personId });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/people/{person_id}', { params: { path }, ...init }),
      options,
    );
  }
}
