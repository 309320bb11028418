"""Owners and kinds: whose a pod is, and what kind of workload that makes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.collector.build import node, owner, parent, pod
from tests.collector.direct import by_id, caveats
from tests.collector.stub_server import Cluster, status
from tests.collector.works import CHECKPOINT, KIND, collected, only
from topo import collect

KINDS = [
    ("kubeflow.org/v1", "PyTorchJob", "training"),
    ("kubeflow.org/v1", "TFJob", "training"),
    ("kubeflow.org/v2beta1", "MPIJob", "training"),
    ("kubeflow.org/v1", "XGBoostJob", "training"),
    ("kubeflow.org/v1", "JAXJob", "training"),
    ("kubeflow.org/v1", "PaddleJob", "training"),
    ("trainer.kubeflow.org/v1alpha1", "TrainJob", "training"),
    ("run.ai/v2alpha1", "TrainingWorkload", "training"),
    ("run.ai/v2alpha1", "DistributedWorkload", "training"),
    ("serving.kserve.io/v1beta1", "InferenceService", "inference"),
    ("serving.knative.dev/v1", "Revision", "inference"),
    ("machinelearning.seldon.io/v1", "SeldonDeployment", "inference"),
    ("ray.io/v1", "RayService", "inference"),
    ("nvidia.com/v1alpha1", "DynamoGraphDeployment", "inference"),
    ("grove.io/v1alpha1", "PodClique", "inference"),
    ("run.ai/v2alpha1", "InferenceWorkload", "inference"),
    ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "inference"),
    ("batch.volcano.sh/v1alpha1", "Job", "batch"),
    ("jobset.x-k8s.io/v1alpha2", "JobSet", "batch"),
    ("ray.io/v1", "RayJob", "batch"),
    ("argoproj.io/v1alpha1", "Workflow", "batch"),
    ("sparkoperator.k8s.io/v1beta2", "SparkApplication", "batch"),
    ("tekton.dev/v1", "TaskRun", "batch"),
    ("amlarc.azureml.com/v1alpha1", "AmlJob", "batch"),
    ("kubeflow.org/v1", "Notebook", "interactive"),
    ("workspace.devfile.io/v1alpha2", "DevWorkspace", "interactive"),
    ("run.ai/v2alpha1", "InteractiveWorkload", "interactive"),
    ("ray.io/v1", "RayCluster", "unknown"),
    ("slinky.slurm.net/v1beta1", "NodeSet", "unknown"),
    ("example.com/v1", "Training", "unknown"),
    ("apps/v1", "StatefulSet", "unknown"),
    ("apps/v1", "Deployment", "inference"),
    ("apps/v1", "DaemonSet", "system"),
    ("batch/v1", "Job", "batch"),
    ("batch/v1", "CronJob", "batch"),
]


class TestKinds:
    """Training is never guessed: ambiguous owners are batch or unknown unless annotated."""

    @pytest.mark.parametrize(("version", "kind", "expected"), KINDS)
    def test_by_the_owner(self, version: str, kind: str, expected: str) -> None:
        work = only(pod("p", owner=owner(kind, "w", version)))
        assert (work["id"], work["kind"]) == (f"ml/{kind.lower()}/w", expected)

    @pytest.mark.parametrize(("version", "kind", "unannotated"), KINDS)
    @pytest.mark.parametrize("minutes", ["30", "soon"])
    def test_an_annotated_cadence_makes_it_training(
        self, version: str, kind: str, unannotated: str, minutes: str
    ) -> None:
        work = only(pod("p", owner=owner(kind, "w", version), annotations={CHECKPOINT: minutes}))
        names = {kind, f"{kind}.{version.partition('/')[0]}"}
        stays = names & (collect.SERVING_KINDS | collect.SYSTEM_KINDS)
        assert work["kind"] == (unannotated if stays else "training")

    def test_what_the_pod_says_itself_wins(self) -> None:
        assert only(pod("p", owner=owner("Deployment", "d"), labels={KIND: "Training"}))["kind"] == "training"

    def test_an_unknown_word_is_ignored_out_loud(self) -> None:
        estate = collected(pod("p", owner=owner("Job", "j", "batch/v1"), labels={KIND: "trainig"}))
        assert estate["workloads"][0]["kind"] == "batch"
        assert "iverson.gpu/kind is no kind of workload" in caveats(estate)

    def test_a_bare_pod_is_unknown(self) -> None:
        assert only(pod("p"))["kind"] == "unknown"

    def test_kube_system_is_system(self) -> None:
        assert only(pod("p", namespace="kube-system", owner=owner("Deployment", "d")))["kind"] == "system"


class TestOwners:
    """The workload is the topmost owner that references or labels reach."""

    @pytest.mark.parametrize(
        ("chain", "expected"),
        [
            (
                [("ReplicaSet", "r", ("Deployment", "d", "apps/v1")), ("Deployment", "d", None)],
                "ml/deployment/d",
            ),
            ([("Job", "j", ("CronJob", "c", "batch/v1")), ("CronJob", "c", None)], "ml/cronjob/c"),
            ([("Job", "j", ("JobSet", "s", "jobset.x-k8s.io/v1alpha2"))], "ml/jobset/s"),
            ([("Job", "j", ("MPIJob", "m", "kubeflow.org/v2beta1"))], "ml/mpijob/m"),
            ([("StatefulSet", "s", ("Notebook", "b", "kubeflow.org/v1"))], "ml/notebook/b"),
            (
                [
                    ("ReplicaSet", "r", ("Deployment", "d", "apps/v1")),
                    ("Deployment", "d", ("InferenceService", "i", "serving.kserve.io/v1beta1")),
                ],
                "ml/inferenceservice/i",
            ),
        ],
    )
    def test_climbing(self, chain: list[Any], expected: str) -> None:
        parents = [parent(kind, name, owner=owner(*above) if above else None) for kind, name, above in chain]
        kind, name, _ = chain[0]
        version = "batch/v1" if kind == "Job" else "apps/v1"
        assert only(pod("p", owner=owner(kind, name, version)), *parents)["id"] == expected

    def test_owners_in_a_circle_end(self) -> None:
        loop = [
            parent("Job", "a", owner=owner("Job", "b", "batch/v1")),
            parent("Job", "b", owner=owner("Job", "a", "batch/v1")),
        ]
        assert only(pod("p", owner=owner("Job", "a", "batch/v1")), *loop)["id"] == "ml/job/b"

    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            ({"leaderworkerset.sigs.k8s.io/name": "l"}, "ml/leaderworkerset/l"),
            ({"serving.kserve.io/inferenceservice": "i"}, "ml/inferenceservice/i"),
            ({"serving.knative.dev/service": "k"}, "ml/service/k"),
            ({"jobset.sigs.k8s.io/jobset-name": "s"}, "ml/jobset/s"),
            (
                {
                    "jobset.sigs.k8s.io/jobset-name": "s",
                    "trainer.kubeflow.org/trainjob-ancestor-step": "trainer",
                },
                "ml/trainjob/s",
            ),
            ({"ray.io/originated-from-crd": "RayJob", "ray.io/originated-from-cr-name": "r"}, "ml/rayjob/r"),
            ({"sparkoperator.k8s.io/app-name": "a"}, "ml/sparkapplication/a"),
            ({"nvidia.com/dynamo-graph-deployment-name": "g"}, "ml/dynamographdeployment/g"),
        ],
    )
    def test_labels_name_roots_that_no_reference_reaches(self, labels: dict[str, str], expected: str) -> None:
        assert only(pod("p", owner=owner("StatefulSet", "s"), labels=labels))["id"] == expected

    def test_a_reference_to_a_training_job_wins_over_labels(self) -> None:
        labels = {"jobset.sigs.k8s.io/jobset-name": "s"}
        assert (
            only(pod("p", owner=owner("PyTorchJob", "t", "kubeflow.org/v1"), labels=labels))["id"]
            == "ml/pytorchjob/t"
        )

    def test_without_replicasets_the_deployment_is_inferred_and_said(self) -> None:
        cluster = Cluster(answers={"/apis/apps/v1/replicasets": status(403)})
        asks = pod("p", owner=owner("ReplicaSet", "web-5d9c"), labels={"pod-template-hash": "5d9c"})
        estate = collected(asks, cluster=cluster)
        assert estate["workloads"][0]["id"] == "ml/deployment/web"
        assert "because the owner could not be read (1 workload: ml/deployment/web)" in caveats(estate)

    def test_an_owner_that_does_not_control_is_none(self) -> None:
        loose = {**owner("Job", "j", "batch/v1"), "controller": False}
        assert only(pod("p", owner=loose))["id"] == "ml/pod/p"

    def test_one_name_in_two_groups_stays_two_workloads(self) -> None:
        pods = [
            pod("a", owner=owner("Job", "j", "batch/v1")),
            pod("b", owner=owner("Job", "j", "batch.volcano.sh/v1")),
        ]
        assert set(by_id(collected(*pods)["workloads"])) == {"ml/job/j", "ml/job.batch.volcano.sh/j"}

    def test_a_slurm_pod_hides_its_jobs(self) -> None:
        estate = collected(pod("p", labels={"slinky.slurm.net/cluster": "c"}))
        assert "Slurm runs in pods here" in caveats(estate)

    def test_placements_and_replicas_per_node(self) -> None:
        ref = owner("PyTorchJob", "t", "kubeflow.org/v1")
        estate = collected(
            node("n2"),
            pod("a", gpus=4, owner=ref),
            pod("b", "n2", gpus=8, owner=ref),
            pod("c", gpus=None, owner=ref),
        )
        work = estate["workloads"][0]
        assert (work["placements"], work["replicas"]) == ({"n1": 4, "n2": 8}, {"n1": 2, "n2": 1})
