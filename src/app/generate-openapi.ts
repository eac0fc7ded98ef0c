import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from './app.module';
import { loadConfig } from '../config';
import { openApiDocument } from './openapi/openapi';

/**
 * Generates the OpenAPI document without a running server: Nest's preview mode has the routes but connects to
 * nothing.
 */
export async function generateOpenApi(): Promise<OpenAPIObject> {
  const config = loadConfig({ DATABASE_URL: 'postgres://preview', JWT_SECRET: 'x'.repeat(32) });
  const app = await NestFactory.create(AppModule.with(config), { preview: true, logger: false });
  try {
    return openApiDocument(app);
  } finally {
    await app.close();
  }
}
