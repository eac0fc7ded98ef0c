const utf8 = new TextDecoder('utf-8', { fatal: true });

export function encodeBody(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** @throws where the content is not JSON in UTF-8. */
export function decodeBody(content: Buffer): unknown {
  return JSON.parse(utf8.decode(content));
}
