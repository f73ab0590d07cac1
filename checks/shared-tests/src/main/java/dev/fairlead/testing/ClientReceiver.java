package dev.fairlead.testing;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.tasks.Tasks;

import java.util.concurrent.FutureTask;

/** A client whose handler has a person fill in a form. */
final class ClientReceiver extends ReceiverBench {
    private static final String METHOD = "elicitation/create";
    private static final JsonObject FORM =
            (JsonObject)
                    JsonValue.parse(
                            """
                            {"message": "Go on?", "requestedSchema":
                              {"type": "object", "properties": {"answer": {"type": "string"}}}}\
                            """);

    private final McpClient client;

    private ClientReceiver(ScriptedPerson person, McpClient client, RawPeer peer) {
        super(person, peer);
        this.client = client;
    }

    /** Opens a client that runs tasks, see {@link ReceiverBench.Opening}. */
    static ReceiverBench open(Tasks tasks, boolean rerun, Interceptor interceptor)
            throws Exception {
        ScriptedPerson person = new ScriptedPerson();
        McpClient.Builder builder =
                McpClient.named("receiver", "1")
                        .tasks(tasks)
                        .interceptInbound(
                                (call, next) ->
                                        call.name().equals(METHOD)
                                                ? interceptor.intercept(call, next)
                                                : next.proceed(call))
                        .onElicitForm(form -> Answer.accept(JsonObject.of("answer", person.ask())));
        RawPeer peer = RawPeer.server();
        FutureTask<McpClient> connecting =
                new FutureTask<>(
                        () -> (rerun ? builder.rerunAfterCrash() : builder).connect(peer.remote()));
        Thread.ofVirtual().name("contract-connecting").start(connecting);
        peer.acceptClient("{}");
        return new ClientReceiver(person, connecting.get(), peer);
    }

    @Override
    String method() {
        return METHOD;
    }

    @Override
    JsonObject params() {
        return FORM;
    }

    @Override
    String said(JsonObject result) {
        return result.object("content").string("answer");
    }

    @Override
    Result plain() {
        return new ElicitResult(ElicitAction.DECLINE);
    }

    @Override
    public void close() {
        client.close();
        super.close();
    }
}
