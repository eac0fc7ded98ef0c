import 'reflect-metadata';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { AgentsModule } from '../../src/features/agents/agents.module';
import { CallsModule } from '../../src/features/calls/calls.module';
import { CampaignsModule } from '../../src/features/campaigns/campaigns.module';
import { KnowledgeBaseModule } from '../../src/features/knowledge-base/knowledge-base.module';
import { PhoneNumbersModule } from '../../src/features/phone-numbers/phone-numbers.module';
import { ReportsModule } from '../../src/features/reports/reports.module';
import { ROUTES } from '../support/routes';

type Controller = (typeof ROUTES)[number]['controller'];

const getControllers = (module: object) =>
  Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as Controller[];

/** The routes of the application that the controllers of a module have, by the beginnings of their paths. */
const getPaths = (module: object) => {
  const controllers = getControllers(module);
  return ROUTES.filter(({ controller }) => controllers.includes(controller)).map(({ path }) => path);
};

describe('A feature module of the design', () => {
  test.each<[string, object, RegExp]>([
    ['AgentsModule', AgentsModule, /^\/api\/(agents|prompt-templates)/],
    ['KnowledgeBaseModule', KnowledgeBaseModule, /^\/api\/knowledge-base/],
    [
      'CallsModule',
      CallsModule,
      /^\/api\/(agents\/\{agent_id\}\/(calls|conversations)|calls\/\{call_id\}\/transfers)/,
    ],
    ['ReportsModule', ReportsModule, /^\/api\/(reports|calls|agents\/\{agent_id\}\/conversations)/],
    ['PhoneNumbersModule', PhoneNumbersModule, /^\/api\/phone-number/],
    ['CampaignsModule', CampaignsModule, /^\/api\/(campaign|recipients)/],
  ])('exists by its name, and has only the routes of its feature: %s', (_, module, pattern) => {
    const paths = getPaths(module);

    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !pattern.test(path))).toEqual([]);
  });
});
