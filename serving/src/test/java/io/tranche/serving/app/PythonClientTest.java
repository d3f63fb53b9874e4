package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Python client against a service.
class PythonClientTest {

  private static final String TOKEN = ServedModels.TOKEN;

  @TempDir Path folder;

  private DecisionServer start(String... assignments) throws IOException {
    return DecisionServer.start(ServedModels.config(folder, assignments), _ -> {});
  }

  @Test
  void pythonRecoversAfterABrokenStatusLine() throws Exception {
    String program =
        """
        import http.client, socket, sys, threading
        sys.path.insert(0, sys.argv[1])
        from tranche_client import TrancheClient
        listener = socket.create_server(("127.0.0.1", 0))
        def serve():
            for reply in (b"nonsense\\r\\n\\r\\n",
                          b'HTTP/1.1 200 OK\\r\\ncontent-length: 13\\r\\n\\r\\n{"models":[]}'):
                connection, _ = listener.accept()
                connection.recv(65536)
                connection.sendall(reply)
                connection.close()
        threading.Thread(target=serve, daemon=True).start()
        with TrancheClient("http://127.0.0.1:%d" % listener.getsockname()[1]) as service:
            try:
                service.models()
                raise AssertionError("was not refused")
            except http.client.BadStatusLine:
                pass
            assert service.models() == []
        print("done")
        """;
    String said =
        Python.run(Path.of("python3"), program, Shared.root().resolve("clients/python").toString());

    assertThat(said.strip()).isEqualTo("done");
  }

  @Test
  void pythonSurvivesBrokenConnections() throws Exception {
    String program =
        """
        import socket, sys, threading
        sys.path.insert(0, sys.argv[1])
        from tranche_client import TrancheClient
        listener = socket.create_server(("127.0.0.1", 0))
        child = b'{"id":"a","step":1,"volume":2.5,"limit_offset_bps":null,"source":"model"}'
        whole = b"HTTP/1.1 200 OK\\r\\ncontent-length: %d\\r\\n\\r\\n%s" % (len(child), child)
        asked = []
        def serve():
            for reply in (b"", whole[:-9], b"", whole):
                connection, _ = listener.accept()
                asked.append(connection.recv(65536).split(b"\\r\\n\\r\\n")[-1] or connection.recv(65536))
                connection.sendall(reply)
                connection.close()
            listener.close()
        threading.Thread(target=serve, daemon=True).start()
        with TrancheClient("http://127.0.0.1:%d" % listener.getsockname()[1], pause=0.01) as service:
            decided = service.decide("a", step=1)
            assert decided.volume == 2.5 and decided.limit_offset_bps is None and decided["step"] == 1, decided
            assert asked == [b'{"step": 1}'] * 4, asked
            try:
                decided.nothing
                raise AssertionError("was there")
            except AttributeError as e:
                assert "nothing" in str(e)
            try:
                service.decide("a", step=2)
                raise AssertionError("was answered")
            except ConnectionError:
                pass
        print("done")
        """;
    String said =
        Python.run(Path.of("python3"), program, Shared.root().resolve("clients/python").toString());

    assertThat(said.strip()).isEqualTo("done");
  }

  @Test
  void pythonTalksToIt() throws Exception {
    String program =
        """
        import sys
        sys.path.insert(0, sys.argv[1])
        from tranche_client import TrancheClient, Refused
        with TrancheClient(sys.argv[2], token=sys.argv[3], timeout=120) as service:
            assert service.is_ready()
            day = "2026-03-03"
            state = service.open_order("p/1", "A", day, "sell", 1000, day + "T09:30:00", day + "T14:59:00")
            assert state["status"] == "working" and state["average_price"] is None, state
            assert service.bar("A", day, day + "T09:30:00", {"close": 10.0, "volume": float("nan")}) == "taken"
            child = service.decide("p/1", deadline_micros=30_000_000)
            assert child["source"] == "model", child
            assert service.decide("p/1", step=child["step"]) == child
            answers = service.frames([
                ("bar", "A", day, day + "T09:31:00", {"close": 10.0, "volume": None}),
                ("decide", "p/1", child["step"], 30_000_000),
                ("decide", "nobody"),
                ("fill", "p/1", "f1", child["volume"] or 1.0, 10.5),
                ("fill", "p/1", "f2", 1.0, 10.5, 7),
                ("report", "p/1", child["step"], "done")])
            assert answers[0] == {"answer": "taken"}, answers
            assert answers[1]["volume"] == child["volume"], answers
            assert answers[2]["error"] == "unknown", answers
            assert answers[4]["instrument"] == "A" and answers[4]["side"] == "sell", answers
            assert answers[4]["start"] == day + "T09:30:00" and answers[4]["date"] == day, answers
            assert answers[5]["out"] == 0 and answers[5]["phase"] == "working", answers
            assert service.report("p/1", child["step"], "done")["out"] == 0
            assert [each["fill_id"] for each in service.details("p/1")["fills"]] == ["f1", "f2"]
            service.correct_fill("p/1", "f2", 0, 10.5)
            service.reference("A", day, 10.0)
            service.set_limits({"collar_bps": 500}, "instrument", "*")
            assert {"scope": "instrument", "name": "*", "limits": {"collar_bps": 500.0}} in service.limits()
            service.heartbeat("desk", 60)
            service.heartbeat("desk", 0)
            assert service.amend("p/1", amount=1100)["amount"] == 1100
            try:
                service.fill("nobody", "f", 1, 1)
                raise AssertionError("was not refused")
            except Refused as refused:
                assert refused.error == "unmatched", refused.error
            assert [each["id"] for each in service.unmatched()] == ["nobody"]
            service.bar("A", day, day + "T14:29:00", {"close": 10.0, "volume": None})
            last = service.decide("p/1", deadline_micros=30_000_000)
            state = service.fill("p/1", "f3", last["volume"] / 2, 10.5, step=last["step"])
            assert last["step"] == 7 and state["status"] == "partly_filled", state
            assert state["filled"] == state["amount"] - state["remaining"] > 0, state
            seen = {"data_processed": [[0.5, 0.25]] * 240, "data_processed_prev": [[0.5, 0.25]] * 240,
                    "acquiring": 0, "cur_tick": 30, "cur_step": 1, "num_step": 8, "target": 100.0,
                    "position": 90.0, "position_history": [100.0, 90.0, 0, 0, 0, 0, 0, 0]}
            first, second = service.predict([seen]), service.predict([seen])
            assert first[0]["scores"] == second[0]["scores"] and second[0]["cached"], second
            try:
                service.order("nobody")
                raise AssertionError("was not refused")
            except Refused as refused:
                assert refused.status == 404 and refused.error == "unknown" and not refused.is_passing
            assert [each["id"] for each in service.orders()] == ["p/1"]
            assert [each["model"] for each in service.models()] == ["demo@1"]
            events = service.events(after=0)
            assert next(events)["event"] == "started"
            for event in events:
                if event["event"] == "filled":
                    assert event["order"] == "p/1" and event["price"] == 10.5, event
                    break
            events.close()
            known = event["sequence"]
            assert next(service.events(after=known))["sequence"] > known
            try:
                next(service.events(after=known + 1000))
                raise AssertionError("was not refused")
            except Refused as refused:
                assert refused.status == 422, refused.status
            state = service.open_order("p/2", "A", day, "sell", 100, day + "T09:30:00", day + "T14:59:00", replaces="p/1")
            assert state["id"] == "p/2" and service.order("p/1")["status"] == "cancelled", state
            service.switch("instrument", True, "A")
            assert service.cancel("p/2")["status"] == "cancelled"
            service.load("demo@2")
            service.route("demo@2", canary="demo@1", canary_share=0.1)
            assert [each["name"] for each in service.switches()] == ["A"], service.switches()
            service.end_days(day)
            service.drain()
        print("done")
        """;
    try (var server = start()) {
      String said =
          Python.run(
              Path.of("python3"),
              program,
              Shared.root().resolve("clients/python").toString(),
              server.http().url(),
              TOKEN);

      assertThat(said.strip()).isEqualTo("done");
    }
  }
}
