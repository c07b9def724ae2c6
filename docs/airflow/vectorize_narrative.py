"""Vectorizes a narrative of Watchdesk, as a DAG of Airflow 2.x or 3.x.

Watchdesk triggers it, one DAG run for each vectorization run. The DAG signs in to Watchdesk with a service user and asks
it for one batch after another until all stories have their vectors. What is done stays done, so a task that is retried
goes on where the last one stopped.

Settings, from the environment of the workers or else from Airflow Variables of the same names:
WATCHDESK_URL, WATCHDESK_EMAIL, WATCHDESK_PASSWORD.
"""

import json
import logging
import os
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

try:  # Airflow 3
    from airflow.sdk import Variable, dag, get_current_context, task
except ImportError:  # Airflow 2
    from airflow.decorators import dag, task
    from airflow.models import Variable
    from airflow.operators.python import get_current_context
try:
    from airflow.sdk.exceptions import AirflowFailException
except ImportError:
    from airflow.exceptions import AirflowFailException

RUNS = "/api/v1/airflow/vectorize-narrative"
ATTEMPTS = 6
TIMEOUT_SECONDS = 60
MOST_BYTES = 1_000_000

log = logging.getLogger(__name__)


class Refused(Exception):
    """An answer that another attempt would not change."""

    def __init__(self, status, detail):
        super().__init__(f"Watchdesk answered {status}: {detail}")
        self.status = status


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Whoever redirects would be handed the password or the token."""

    def redirect_request(self, *args, **kwargs):
        return None


class Watchdesk:
    def __init__(self, url, email, password):
        self.url = url.rstrip("/")
        self.credentials = {"email": email, "password": password}
        self.opener = urllib.request.build_opener(NoRedirect)
        self.token = None

    def post(self, path, body=None):
        """Signed in; once more with a new session when the old one has ended."""
        if self.token is None:
            self.sign_in()
        try:
            return self._post(path, body, self.token)
        except Refused as refused:
            if refused.status != 401:
                raise
        self.sign_in()
        return self._post(path, body, self.token)

    def sign_in(self):
        self.token = self._post("/api/v1/login", self.credentials)["access_token"]

    def _post(self, path, body=None, token=None):
        """Tries again, later and later, what may pass: no connection, too many requests, an outage."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._post_once(path, body, token)
            except Refused as refused:
                if attempt == ATTEMPTS or (refused.status < 500 and refused.status not in (408, 429)):
                    raise
                log.warning("%s. Trying again.", refused)
            except (OSError, ValueError) as error:
                if attempt == ATTEMPTS:
                    raise
                log.warning("%s could not be called: %s. Trying again.", path, error)
            time.sleep(2 ** (attempt - 1))

    def _post_once(self, path, body, token):
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method="POST")
        try:
            with self.opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read(MOST_BYTES))
        except urllib.error.HTTPError as error:
            raise Refused(error.code, detail_of(error.read(MOST_BYTES))) from None


def detail_of(body):
    try:
        return json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        return "no reason given"


def setting(name):
    return os.environ.get(name) or Variable.get(name)


def execution_date():
    """The logical date that Watchdesk gave the run, as Watchdesk writes it."""
    moment = get_current_context()["dag_run"].logical_date.astimezone(timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


@dag(
    dag_id="vectorize_narrative",
    schedule=None,
    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    is_paused_upon_creation=False,
    tags=["watchdesk"],
    doc_md=__doc__,
)
def vectorize_narrative():
    @task(retries=3, retry_delay=timedelta(minutes=1))
    def embed_stories():
        watchdesk = Watchdesk(setting("WATCHDESK_URL"), setting("WATCHDESK_EMAIL"), setting("WATCHDESK_PASSWORD"))
        batch = f"{RUNS}/{quote(execution_date(), safe='')}/batch"
        is_finished = False
        try:
            while not is_finished:
                progress = watchdesk.post(batch)
                is_finished = progress["is_finished"]
                log.info("%s of %s stories", progress["done_count"], progress["stories_count"])
        except Refused as refused:
            if refused.status >= 500:
                raise
            # A wrong password or an unknown run stays so: no retry.
            raise AirflowFailException(str(refused)) from None

    embed_stories()


vectorize_narrative()
