import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_ENVELOPE } from './common/error-answers';

/** The OpenAPI 3.1 document of every route, made from the decorators that also validate. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription('A self-hosted control plane for voice agents.')
    .setVersion('1.0.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('bearer')
    .build();
  const document = withTypeNull(SwaggerModule.createDocument(app, frame));
  const schemas: Schemas = { ...(document.components?.schemas as Schemas), ...ERROR_ENVELOPE };
  for (const name of shownIn(document)) {
    // The class may be one that a request takes too, with most of its fields optional; an answer has them all.
    schemas[name] = { ...schemas[name], required: Object.keys(schemas[name]?.properties ?? {}) };
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    // Probes and metrics need no credential.
    if (!path.startsWith('/api/'))
      Object.values(operations).forEach((operation: Operation) => (operation.security = []));
  }
  document.components = { ...document.components, schemas: schemas as never };
  return document;
}

/** The document at /docs-json and a page that shows it, with nothing fetched from elsewhere, at /docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Parley API',
  });
}

interface Operation {
  responses: object;
  security?: object[];
}

type Schemas = Record<string, { properties?: object; required?: string[] }>;

/** The names of the schemas that are the `data` of an answer. */
function shownIn({ paths }: OpenAPIObject): Set<string> {
  const answers = Object.values(paths).flatMap((operations) =>
    Object.values(operations as Record<string, Operation>).map(({ responses }) => responses),
  );
  const found = JSON.stringify(answers).matchAll(/"data":{[^}]*?"#\/components\/schemas\/(\w+)"/g);
  return new Set([...found].map(([, name]) => name as string));
}

/** The generator says `nullable: true`, which OpenAPI 3.1 replaced by the type null. */
function withTypeNull<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withTypeNull) as Part;
  const { nullable, ...rest } = part as { nullable?: boolean; type?: unknown };
  const parts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withTypeNull(value)]));
  return (nullable === true ? { ...parts, type: [rest.type, 'null'] } : parts) as Part;
}
