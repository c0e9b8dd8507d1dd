"""States of one web application, as JSON lines: `python admin_states.py LANGUAGE`.

The application is the administration that Django carries, with a few users, groups and pages. Run
where Django can be imported. A line is {"key", "path", "html"}; states with the same key are one
view with other data.
"""

import json
import sys
from collections.abc import Iterator

import django
from django.conf import settings

CONTRIB = (
    "admin",
    "auth",
    "contenttypes",
    "sessions",
    "messages",
    "sites",
    "flatpages",
    "redirects",
)
MIDDLEWARE = (
    "sessions.middleware.SessionMiddleware",
    "auth.middleware.AuthenticationMiddleware",
    "messages.middleware.MessageMiddleware",
)
CONTEXT = (
    "contrib.auth.context_processors.auth",
    "contrib.messages.context_processors.messages",
    "template.context_processors.request",
)
MODELS = ("auth/user", "auth/group", "flatpages/flatpage", "redirects/redirect", "sites/site")
NAMES = ("anna", "bruno", "carla", "dario")


def start(language: str) -> None:
    """Set up the application on a database in memory."""
    template = {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [f"django.{name}" for name in CONTEXT]},
    }
    settings.configure(
        SECRET_KEY="benchmark",
        ALLOWED_HOSTS=["*"],
        LANGUAGE_CODE=language,
        SITE_ID=1,
        STATIC_URL="/static/",
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=[f"django.contrib.{name}" for name in CONTRIB],
        MIDDLEWARE=[f"django.contrib.{name}" for name in MIDDLEWARE],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        TEMPLATES=[template],
    )
    django.setup()
    from django.contrib import admin
    from django.core.management import call_command
    from django.urls import path

    settings.ROOT_URLCONF = (path("admin/", admin.site.urls),)
    call_command("migrate", verbosity=0)


def add_records() -> None:
    """A record of every model for each name."""
    from django.contrib.auth.models import Group, User
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.redirects.models import Redirect
    from django.contrib.sites.models import Site

    User.objects.create_superuser("admin", "admin@example.org", "password")
    for name in NAMES:
        User.objects.create_user(name, f"{name}@example.org", first_name=name.title())
        Group.objects.create(name=f"{name}'s group")
        FlatPage.objects.create(url=f"/{name}/", title=name.title(), content=f"About {name}.")
        Redirect.objects.create(site_id=1, old_path=f"/{name}", new_path=f"/{name}/")
        Site.objects.create(domain=f"{name}.example", name=name)


def visits() -> Iterator[tuple[str, str]]:
    """View and address of every state."""
    yield "login", "/admin/login/"
    yield "index", "/admin/"
    yield "password", "/admin/password_change/"
    for model in MODELS:
        for page in ("", "?q=a", "?o=-1"):
            yield f"{model} list", f"/admin/{model}/{page}"
        yield f"{model} form", f"/admin/{model}/add/"
        for record in (2, 3):
            yield f"{model} form", f"/admin/{model}/{record}/change/"
            yield f"{model} delete", f"/admin/{model}/{record}/delete/"
            yield f"{model} history", f"/admin/{model}/{record}/history/"
    yield "missing", "/admin/nothing/"


def print_states(language: str) -> None:
    """Visit every address, the first without having logged in."""
    start(language)
    add_records()
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    for key, url in visits():
        page = client.get(url, follow=True).content.decode("utf-8")
        print(json.dumps({"key": key, "path": url, "html": page}))
        client.force_login(User.objects.get(username="admin"))


print_states(sys.argv[1])
