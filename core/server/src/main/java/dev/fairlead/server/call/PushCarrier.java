package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.server.requests.ClientRequest;
import dev.fairlead.server.requests.Concurrently;
import dev.fairlead.server.requests.QuestionCarrier;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Asks the client of a session by requests, all at the same time.
 *
 * @param exchange the request during which they are sent; null if they belong to none
 */
record PushCarrier(SessionChannel channel, WireFace face, @Nullable Exchange exchange)
        implements QuestionCarrier {
    @Override
    public List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException {
        return Concurrently.all(questions, question -> channel.ask(question, face, exchange));
    }
}
