import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_ENVELOPE } from './common/envelope';

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
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_ENVELOPE },
  };
  return document;
}

/** The document at /docs-json and a page that shows it, with nothing fetched from elsewhere, at /docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Parley API',
  });
}

/** The generator says `nullable: true`, which OpenAPI 3.1 replaced by the type null. */
function withTypeNull<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withTypeNull) as Part;
  const { nullable, ...rest } = part as { nullable?: boolean; type?: unknown };
  const parts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withTypeNull(value)]));
  return (nullable === true ? { ...parts, type: [rest.type, 'null'] } : parts) as Part;
}
