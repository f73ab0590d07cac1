package dev.fairlead.http.internal;

import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.time.PeriodicTask;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Looks now and then whether the files of a certificate have changed, and gives a new one to the
 * engine. One look at a time, on a virtual thread; ends with its timers.
 */
public final class CertificateWatch {
    private static final System.Logger LOGGER = System.getLogger(CertificateWatch.class.getName());

    private final CertificateFiles files;
    private final PeriodicTask looks;
    private final Listening listening;
    private CertificateFiles.Contents current; // the current contents
    private @Nullable String complaint;

    /**
     * @param contents the current contents
     */
    public CertificateWatch(
            CertificateFiles.Contents contents,
            Duration interval,
            Timers timers,
            Listening listening) {
        this.files = contents.files();
        this.current = contents;
        this.looks = new PeriodicTask("mcp-http-certificate", interval, timers, this::look);
        this.listening = listening;
    }

    /** Schedules the next look, and after it all others. */
    public void start() {
        looks.start();
    }

    private void look() {
        try {
            CertificateFiles.Contents contents = files.read();
            if (!contents.isSame(current)) {
                renew(contents);
            }
            complaint = null;
        } catch (IOException | RuntimeException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void renew(CertificateFiles.Contents contents) throws IOException {
        listening.renew(contents.tls());
        current = contents;
        LOGGER.log(Level.INFO, "New connections get the new certificate in {0}", files);
    }

    /** Logs the same reason once, as long as nothing changes. */
    private void complain(String reason) {
        Level level = reason.equals(complaint) ? Level.DEBUG : Level.WARNING;
        complaint = reason;
        LOGGER.log(level, "The certificate stays the old one: {0}", reason);
    }
}
