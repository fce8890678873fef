"""Ralph's server, with statements in files: python -m uvicorn --app-dir FOLDER ralph_app:app

Ralph itself begins a file with each request, and fails at the second one, since the file is there. Here it appends.
"""

from ralph.backends.data.base import BaseOperationType
from ralph.backends.data.fs import FSDataBackend

FSDataBackend.default_operation_type = BaseOperationType.APPEND

from ralph.api import app  # noqa: E402, F401 (it opens its backend as it is imported)
