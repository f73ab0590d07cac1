package dev.fairlead.server;

import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Answer;
import dev.fairlead.protocol.CreateMessageRequest;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.ElicitRequest;
import dev.fairlead.protocol.ElicitResult;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Root;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** What the calls of handlers have in common, whether a request or a task is behind them. */
abstract class HandlerCall implements Call, Asker {
    private Questions questions() {
        return new Questions(this, Questions.Limits.of(settings()), null);
    }

    @Override
    public final Revision revision() {
        return face().revision();
    }

    @Override
    public final <T> Answer<T> elicit(String message, Class<T> form) throws InterruptedException {
        return questions().elicit(message, form);
    }

    @Override
    public final <T> Answer<T> elicit(String message, TypeRef<T> form) throws InterruptedException {
        return questions().elicit(message, form);
    }

    @Override
    public final ElicitResult elicit(ElicitRequest question) throws InterruptedException {
        return questions().elicit(question);
    }

    @Override
    public final <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException {
        return questions().elicitUrl(message, url, action);
    }

    @Override
    public final CreateMessageResult sample(String text, long maxTokens)
            throws InterruptedException {
        return questions().sample(text, maxTokens);
    }

    @Override
    public final CreateMessageResult sample(CreateMessageRequest question)
            throws InterruptedException {
        return questions().sample(question);
    }

    @Override
    public final <E extends Exception> CreateMessageResult sample(
            CreateMessageRequest question, int rounds, SampledTools<E> tools)
            throws E, InterruptedException {
        return questions().sample(question, rounds, tools);
    }

    @Override
    public final List<Root> roots() throws InterruptedException {
        return questions().roots();
    }

    @Override
    public final ServerRequests withTimeout(Duration timeout, Duration maximum) {
        return questions().withTimeout(timeout, maximum);
    }

    @Override
    public final ServerRequests withProgress(ProgressListener listener) {
        return questions().withProgress(listener);
    }
}
