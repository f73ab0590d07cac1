package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.UserHandler;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The questions of a server that a client answers, each with the handler of the user. */
final class QuestionTable {
    final Question<EmptyParams, ListRootsResult> roots;
    final Question<CreateMessageRequest, CreateMessageResult> sampling;
    final Question<ElicitRequest, ElicitResult> elicitation;
    private final Map<String, Question<?, ?>> declared = new HashMap<>();

    /**
     * One kind of question.
     *
     * @param check rejects parameters that this client does not answer, with {@code -32602}
     */
    record Question<P extends RequestParams, R extends Result>(
            Method<P, R> method, Consumer<P> check, UserHandler<P, R> answer) {}

    /**
     * @param known the roots where no handler returns them
     * @param server the server that asks
     */
    QuestionTable(
            ClientSettings settings,
            Supplier<List<Root>> known,
            Supplier<Implementation> server,
            UrlElicitations visits) {
        Callable<List<Root>> handler = settings.onRoots;
        Sampling samples = new Sampling(settings);
        Elicitation people = new Elicitation(server, settings, visits);
        roots =
                new Question<>(
                        Methods.LIST_ROOTS,
                        none -> {},
                        none ->
                                new ListRootsResult(
                                        handler == null ? known.get() : handler.call()));
        sampling = new Question<>(Methods.CREATE_MESSAGE, samples::require, samples::sample);
        elicitation = new Question<>(Methods.ELICIT, people::require, people::elicit);
        ClientCapabilities able = settings.capabilities();
        declare(able.roots(), roots);
        declare(able.sampling(), sampling);
        declare(able.elicitation(), elicitation);
    }

    private void declare(boolean isAble, Question<?, ?> question) {
        if (isAble) {
            declared.put(question.method().name(), question);
        }
    }

    /** Returns the question of a method; empty unless this client has declared it. */
    Optional<Question<?, ?>> find(String method) {
        return Optional.ofNullable(declared.get(method));
    }
}
