# Two stages: the first makes a release as `npm run release` does, the second is the image. A release contains the second
# stage as its own Dockerfile, so that `docker compose up` works there as in a clone.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /source
COPY . .
RUN arch=${TARGETARCH:-$(dpkg --print-architecture)} && \
    node scripts/release.mjs --folder --arch "$(echo "$arch" | sed s/amd64/x64/)" && \
    mv release/holdfast-* /release

FROM debian:bookworm-slim
# The user of most personal machines has the same number, so a folder of theirs can be the volume. Another one can be set
# with --user, or PUID and PGID in compose.yaml.
RUN install -d -o 1000 -g 1000 -m 700 /data
COPY --from=build /release /opt/holdfast
WORKDIR /opt/holdfast
USER 1000:1000
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/opt/holdfast/bin/node", "/opt/holdfast/packaging/check-health.mjs"]
ENTRYPOINT ["/opt/holdfast/holdfast"]
CMD ["start"]
