package aisle.analysis;

import java.io.Reader;
import java.util.function.UnaryOperator;

import org.apache.lucene.analysis.TokenStream;
import org.elasticsearch.index.analysis.AbstractCharFilterFactory;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.NormalizingCharFilterFactory;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;

/** Creates factories from a function; only a normalizing one is allowed in a normalizer. */
final class Factories {

    private Factories() {}

    static TokenFilterFactory filter(String name, UnaryOperator<TokenStream> wrap) {
        return new Filter(name, wrap);
    }

    static TokenFilterFactory normalizing(String name, UnaryOperator<TokenStream> wrap) {
        return new NormalizingFilter(name, wrap, wrap);
    }

    /**
     * For a filter that behaves differently in a normalizer, where one token must stay one token.
     */
    static TokenFilterFactory normalizing(
        String name,
        UnaryOperator<TokenStream> wrap,
        UnaryOperator<TokenStream> wrapNormalizer
    ) {
        return new NormalizingFilter(name, wrap, wrapNormalizer);
    }

    static CharFilterFactory charFilter(String name, UnaryOperator<Reader> wrap) {
        return new CharFilter(name, wrap);
    }

    static CharFilterFactory normalizingCharFilter(String name, UnaryOperator<Reader> wrap) {
        return new NormalizingCharFilter(name, wrap);
    }

    private static class Filter extends AbstractTokenFilterFactory {
        private final UnaryOperator<TokenStream> wrap;

        Filter(String name, UnaryOperator<TokenStream> wrap) {
            super(name);
            this.wrap = wrap;
        }

        @Override
        public TokenStream create(TokenStream input) {
            return wrap.apply(input);
        }
    }

    private static final class NormalizingFilter extends Filter implements NormalizingTokenFilterFactory {
        private final UnaryOperator<TokenStream> wrapNormalizer;

        NormalizingFilter(
            String name,
            UnaryOperator<TokenStream> wrap,
            UnaryOperator<TokenStream> wrapNormalizer
        ) {
            super(name, wrap);
            this.wrapNormalizer = wrapNormalizer;
        }

        @Override
        public TokenStream normalize(TokenStream input) {
            return wrapNormalizer.apply(input);
        }
    }

    private static class CharFilter extends AbstractCharFilterFactory {
        private final UnaryOperator<Reader> wrap;

        CharFilter(String name, UnaryOperator<Reader> wrap) {
            super(name);
            this.wrap = wrap;
        }

        @Override
        public Reader create(Reader input) {
            return wrap.apply(input);
        }
    }

    private static final class NormalizingCharFilter extends CharFilter implements NormalizingCharFilterFactory {
        NormalizingCharFilter(String name, UnaryOperator<Reader> wrap) {
            super(name, wrap);
        }
    }
}
