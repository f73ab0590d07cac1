package dev.fairlead.server.handler;

import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Requests of a handler to the client. Not for implementation by users.
 *
 * <p>In a session and in a task every question blocks until it is answered, for a person at most 10
 * minutes and else 30 seconds unless set otherwise. An interrupt, and so the cancellation of the
 * call, ends the wait and cancels the question at the client. Under revision 2026-07-28 a question
 * without an answer leaves the handler by an {@link Error}, which it must let pass, and the handler
 * starts again with the answer; one that is held waits. All of them fail with a {@link
 * dev.fairlead.protocol.CapabilityException}, before anything is sent, where the client did not
 * declare the required capability; in a tool that becomes a result with {@code isError}, under
 * revision 2026-07-28 the error {@code -32021}. They fail with a {@link
 * dev.fairlead.jsonrpc.JsonRpcException} if the client answers with an error, a {@link
 * dev.fairlead.jsonrpc.RequestTimeoutException} if it does not answer in time, and a {@link
 * dev.fairlead.jsonrpc.ConnectionException} if the connection is lost.
 */
public interface ServerRequests {
    /**
     * Returns the capabilities of the client: those that its session or, since revision 2026-07-28,
     * its request declares; nothing where that is unknown, as over HTTP without sessions up to
     * 2025-11-25.
     */
    ClientCapabilities capabilities();

    /**
     * Asks one question and waits for the answer; {@link #elicit}, {@link #sample} and {@link
     * #roots} are short forms. Under revision 2026-07-28 the request is answered with the question,
     * and its handler starts again with the answer: code before a question runs in each round, see
     * {@link Call#once}.
     *
     * @throws IllegalArgumentException if a record of a form is not flat
     * @throws dev.fairlead.protocol.elicitation.InvalidAnswerException if an accepted form does not
     *     fit
     */
    <T> T ask(Question<T> question) throws InterruptedException;

    /**
     * Asks several questions together and waits for all answers: by concurrent requests where the
     * client is asked by requests, as open questions of a task, and in one round under revision
     * 2026-07-28. Capabilities are checked for all before any is asked. If one of them fails, those
     * without an answer are withdrawn and the method fails as {@link #ask(Question)} does; an
     * answer that does not fit is found when all are there.
     *
     * @throws IllegalArgumentException if two questions have the same key, one is there twice, or
     *     there are more than 100
     */
    Answers ask(Question<?> first, Question<?> second, Question<?>... more)
            throws InterruptedException;

    /**
     * Asks the person with a form, which the components of a record make up: texts, numbers,
     * booleans, dates, enums, lists and sets of enums, with their descriptions, bounds and
     * defaults. Never ask for secrets in a form: see {@link #elicitUrl}.
     *
     * @throws IllegalArgumentException if the record is not flat
     * @throws dev.fairlead.protocol.elicitation.InvalidAnswerException if the accepted content does
     *     not fit the record
     */
    default <T> Answer<T> elicit(String message, Class<T> form) throws InterruptedException {
        return ask(Question.elicit(message, form));
    }

    /** Asks like {@link #elicit(String, Class)}, for a type with type arguments. */
    default <T> Answer<T> elicit(String message, TypeRef<T> form) throws InterruptedException {
        return ask(Question.elicit(message, form));
    }

    /**
     * Asks the person as the specification has it, form or page. The answer to a form is checked
     * against its schema.
     *
     * @throws dev.fairlead.protocol.elicitation.InvalidAnswerException if the accepted content does
     *     not fit the schema
     */
    default ElicitResult elicit(ElicitRequest request) throws InterruptedException {
        return ask(Question.elicit(request));
    }

    /**
     * Leads the person to a page, for data that must not pass through the client. When they
     * consent, the action runs, which usually waits until the page is done; then the client is
     * notified that the elicitation is complete.
     *
     * @param url where to go; it must hold no secret of the person and must not be usable by
     *     another one
     * @param action runs after consent; its exceptions are thrown here
     * @return the result of the action, or the refusal of the person
     */
    <T extends @Nullable Object, E extends Exception> Answer<T> elicitUrl(
            String message, URI url, Action<T, E> action) throws E, InterruptedException;

    /** Has the client's model continue a text. */
    default CreateMessageResult sample(String text, long maxTokens) throws InterruptedException {
        return ask(Question.sample(text, maxTokens));
    }

    /**
     * Has the client's model continue messages. Tools need {@code sampling.tools}, context of
     * servers {@code sampling.context}.
     *
     * @throws IllegalArgumentException if a tool use lacks its result, or results are mixed with
     *     other content
     */
    default CreateMessageResult sample(CreateMessageRequest request) throws InterruptedException {
        return ask(Question.sample(request));
    }

    /**
     * Has the client's model continue messages, and runs the tools that it asks for until it
     * answers without a tool use. In the last round it may use no more tools.
     *
     * @param request names the tools
     * @param rounds how often the model may be asked at most, at least 1
     * @param tools runs one use of a tool; a {@link
     *     dev.fairlead.protocol.tools.ToolFailedException} is reported to the model, other
     *     exceptions are thrown here
     * @return the last message of the model
     */
    <E extends Exception> CreateMessageResult sample(
            CreateMessageRequest request, int rounds, SampledTools<E> tools)
            throws E, InterruptedException;

    /** The roots of the client, requested each time, so that changes are seen. */
    default List<Root> roots() throws InterruptedException {
        return ask(Question.roots());
    }

    /**
     * The same requests with other limits.
     *
     * @param timeout how long to wait without a sign of life; progress restarts it
     * @param maximum how long to wait at most
     */
    ServerRequests withTimeout(Duration timeout, Duration maximum);

    /** Returns the same requests with another limit, which progress does not extend. */
    default ServerRequests withTimeout(Duration timeout) {
        return withTimeout(timeout, timeout);
    }

    /** The same requests, whose progress this listener receives. */
    ServerRequests withProgress(ProgressListener listener);

    /**
     * Returns the same requests, which the client is to run as tasks of its own: for people and
     * models that may take longer than a connection lasts. The call waits all the same; a request
     * without a task, such as roots, stays plain. Without the capability {@code tasks.requests.…}
     * of the client a request fails with a {@link dev.fairlead.protocol.CapabilityException}.
     *
     * @param ttl how long the client is to keep the outcome
     */
    ServerRequests withTask(Duration ttl);
}
