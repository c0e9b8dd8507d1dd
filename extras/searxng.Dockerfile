FROM docker.io/searxng/searxng:latest
COPY dist/*.whl /tmp/
RUN --mount=from=ghcr.io/astral-sh/uv,source=/uv,target=/bin/uv uv pip install --no-cache --python /usr/local/searxng/.venv/bin/python /tmp/*.whl
