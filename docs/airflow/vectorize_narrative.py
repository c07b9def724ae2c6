"""Vectorizes a narrative of Watchdesk: a DAG of Airflow 2.x or 3.x.

Watchdesk triggers one DAG run for each vectorization run. The DAG calls Watchdesk with a token of a service user and
requests one batch after another until all stories have vectors. Finished batches are kept, so a retried task resumes where the
last one stopped.

Settings, from environment variables of the workers or from Airflow Variables of the same names:
WATCHDESK_URL, WATCHDESK_TOKEN.
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
MAX_ATTEMPTS = 6
TIMEOUT_SECONDS = 60
MAX_RESPONSE_BYTES = 1_000_000

log = logging.getLogger(__name__)


class RequestFailed(Exception):
    """Watchdesk responded with an error status."""

    def __init__(self, status, detail):
        super().__init__(f"Watchdesk returned {status}: {detail}")
        self.status = status


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Following a redirect would send the token to another server."""

    def redirect_request(self, *args, **kwargs):
        return None


class Watchdesk:
    def __init__(self, url, token):
        self.url = url.rstrip("/")
        self.token = token
        self.opener = urllib.request.build_opener(NoRedirect)

    def post(self, path):
        """Retries temporary failures with increasing delays: no connection, too many requests, an outage."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return self._post_once(path)
            except RequestFailed as failure:
                if attempt == MAX_ATTEMPTS or (failure.status < 500 and failure.status not in (408, 429)):
                    raise
                log.warning("%s. Retrying.", failure)
            except (OSError, ValueError) as error:
                if attempt == MAX_ATTEMPTS:
                    raise
                log.warning("Request to %s failed: %s. Retrying.", path, error)
            time.sleep(2 ** (attempt - 1))

    def _post_once(self, path):
        headers = {"accept": "application/json", "authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.url + path, None, headers, method="POST")
        try:
            with self.opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read(MAX_RESPONSE_BYTES))
        except urllib.error.HTTPError as error:
            raise RequestFailed(error.code, detail_of(error.read(MAX_RESPONSE_BYTES))) from None


def detail_of(body):
    try:
        return json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        return "no reason given"


def setting(name):
    return os.environ.get(name) or Variable.get(name)


def execution_date():
    """The logical date that Watchdesk set for the run, in Watchdesk's format."""
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
        watchdesk = Watchdesk(setting("WATCHDESK_URL"), setting("WATCHDESK_TOKEN"))
        batch = f"{RUNS}/{quote(execution_date(), safe='')}/batch"
        is_finished = False
        try:
            while not is_finished:
                progress = watchdesk.post(batch)
                is_finished = progress["is_finished"]
                log.info("%s of %s stories", progress["done_count"], progress["stories_count"])
        except RequestFailed as failure:
            if failure.status >= 500:
                raise
            # A retry does not help with a token that has expired or an unknown run.
            raise AirflowFailException(str(failure)) from None

    embed_stories()


vectorize_narrative()
