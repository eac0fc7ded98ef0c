import { Example } from '../../platform/validation/example';
import { TextField } from '../../platform/validation/text-fields';

@Example({ name: 'Acme' })
export class IdentityProviderDto {
  @TextField({
    nullable: true,
    description: 'For the button that leads to `/oidc/sign-in`. null: there is no provider.',
  })
  name: string | null;
}
