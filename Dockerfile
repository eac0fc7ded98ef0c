FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
COPY test/package.json ./test/
COPY launch ./launch
RUN node launch/build/install.mjs server
COPY . .
# Removes the packages that only the build needs. The stamp that marks them as installed stays.
RUN node launch/build/build.mjs && npm prune --omit=dev

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A self-hosted control plane for voice agents"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PARLEY_DATA=/data
COPY --from=build /app/package.json /app/package-lock.json ./
COPY --from=build /app/launch ./launch
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages/worker/package.json ./packages/worker/
COPY --from=build /app/packages/worker/dist ./packages/worker/dist
COPY --from=build /app/packages/voice/package.json ./packages/voice/
COPY --from=build /app/packages/voice/dist ./packages/voice/dist
COPY --from=build /app/dist ./dist
RUN install -d -m 0700 -o node -g node /data
# The user "node", by its number: Kubernetes cannot check a name against runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MONITORING_PORT || process.env.PORT || 3000}/health/live`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "launch/start.mjs"]
