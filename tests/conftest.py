"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# The same examples in every run, and none judged by how long it takes: a busy machine
# must not fail a test.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")
