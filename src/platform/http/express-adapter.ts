import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { sequential } from './sequential-requests';

/**
 * Express 5 sets the prototype of each request and response. V8 then shares no hidden classes among them, which
 * doubles the memory of a request. Here Node.js creates them with the prototypes that Express would set. Needed as
 * long as Express does so, which `test/rules/patches.test.ts` checks.
 */
export class PreparedExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse {}
    Object.setPrototypeOf(Request.prototype, express.request);
    Object.setPrototypeOf(Response.prototype, express.response);
    Object.assign(express, { request: Request.prototype, response: Response.prototype });
    this.httpServer = createServer(
      { IncomingMessage: Request, ServerResponse: Response },
      sequential((request, response) => void express(request, response)),
    );
  }
}
